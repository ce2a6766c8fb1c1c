"""Counts what travels: hands bytes on between a port and a server, and says how many there were.

    relay.py PORT SERVER_PORT FILE

FILE has the bytes of all connections that ended, in both directions, the server's first.
"""
import asyncio
import sys

PIECE = 1 << 16


async def hand_on(reader, writer, counts, which):
    try:
        while data := await reader.read(PIECE):
            counts[which] += len(data)
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    writer.close()


async def main(port, server_port, path):
    counts = [0, 0]

    async def connect(reader, writer):
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", server_port)
        await asyncio.gather(hand_on(there_reader, writer, counts, 0), hand_on(reader, there_writer, counts, 1))
        with open(path, "w", encoding="ascii") as file:
            file.write(f"{counts[0]} {counts[1]}\n")

    server = await asyncio.start_server(connect, "127.0.0.1", port)
    await server.serve_forever()


asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]))
