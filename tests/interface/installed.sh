#!/usr/bin/env bash
# Installs the library into a folder of its own, and builds and runs the first example of docs/api.md against it: from C and
# from C++ by pkg-config, and by CMake's find_package.
#
#     installed.sh BUILD C_COMPILER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1 cc=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/usr" > /dev/null
pc=$(dirname "$(find "$work/usr" -name paravent.pc)")
sed -i "s|^prefix=.*|prefix=$work/usr|" "$pc/paravent.pc"
export PKG_CONFIG_PATH=$pc LD_LIBRARY_PATH=$(dirname "$pc")
cd "$work"
"$work/usr/bin/paravent" demo --output census -q > /dev/null

# run PROGRAM: it must write a verified release
run() {
    rm -rf out && mkdir out
    "$1" census/plan.yaml out/out.csv
    "$work/usr/bin/paravent" check out/out.csv > /dev/null
}

# shellcheck disable=SC2046
"$cc" -std=c17 -Wall -Wextra -Werror -o from_c "$here/../../examples/release.c" $(pkg-config --cflags --libs paravent)
run ./from_c
if command -v c++ > /dev/null; then
    # shellcheck disable=SC2046
    c++ -std=c++17 -Wall -Werror -x c++ -o from_cpp "$here/../../examples/release.c" $(pkg-config --cflags --libs paravent)
    run ./from_cpp
else
    echo "no C++ compiler: the headers were not tried from C++"
fi
cat > CMakeLists.txt << END
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES C)
find_package(paravent 0.1 REQUIRED)
add_executable(user $here/../../examples/release.c)
target_link_libraries(user PRIVATE paravent::paravent)
END
CC=$cc cmake -S . -B by_cmake -DCMAKE_PREFIX_PATH="$work/usr" > /dev/null
cmake --build by_cmake > /dev/null
run by_cmake/user
echo "an installed copy works from C, C++ and CMake"
