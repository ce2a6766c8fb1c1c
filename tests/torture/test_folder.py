"""Is a state recognised for what it is? Small folders made by hand."""
import os
import tempfile
import unittest

from folder import Folder, look_at_release, mixed, sha256


def put(root, name, text):
    path = os.path.join(root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def release(root, text, digits, papers=("release.certificate.json", "release.codebook.csv")):
    """A table with its papers as the program lays them out."""
    table = put(root, "release.csv", text)
    folder = f"release.papers-{digits}"
    sums = [f"{sha256(table)}  ../release.csv"]
    for name in papers:
        path = put(root, f"{folder}/{name}", f"{name} of {text}")
        sums.append(f"{sha256(path)}  {name}")
    put(root, f"{folder}/SHA256SUMS", "\n".join(sums) + "\n")
    return folder


class FolderTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.root = self.temporary.name
        self.addCleanup(self.temporary.cleanup)

    def test_digits_do_not_matter(self):
        release(self.root, "a", "01234567")
        first = Folder(self.root)
        os.rename(os.path.join(self.root, "release.papers-01234567"),
                  os.path.join(self.root, "release.papers-0123456789"))
        self.assertEqual(first.state, Folder(self.root).state)
        self.assertIn("release.papers/SHA256SUMS", first.state)
        self.assertEqual((first.stray, first.torn), ([], []))

    def test_papers_of_no_table_are_stray(self):
        release(self.root, "a", "aaaaaaaa")
        release(self.root, "b", "bbbbbbbb")
        look = Folder(self.root)
        self.assertEqual(look.stray, ["release.papers-aaaaaaaa"])
        self.assertFalse([name for name in look.state if "aaaaaaaa" in name])
        self.assertIsNone(look_at_release(self.root, "release.csv"))

    def test_second_papers_of_one_table_are_stray(self):
        release(self.root, "a", "aaaaaaaa")
        release(self.root, "a", "aaaaaaaab")
        self.assertEqual(Folder(self.root).stray, ["release.papers-aaaaaaaab"])

    def test_torn_papers_are_told(self):
        for damage in ("change", "remove", "add"):
            with self.subTest(damage):
                folder = release(self.root, "a", "aaaaaaaa")
                codebook = os.path.join(self.root, folder, "release.codebook.csv")
                if damage == "remove":
                    os.remove(codebook)
                else:
                    put(self.root, f"{folder}/{'x' if damage == 'add' else 'release.codebook.csv'}",
                        "other")
                self.assertEqual(len(Folder(self.root).torn), 1)
                self.assertIsNotNone(look_at_release(self.root, "release.csv"))

    def test_a_table_without_papers(self):
        put(self.root, "release.csv", "a")
        self.assertEqual(look_at_release(self.root, "release.csv"), "no papers belong to the table")

    def test_hidden_names_are_apart(self):
        put(self.root, ".paravent-12345678.tmp", "a")
        put(self.root, ".paravent-12345678.old/x", "a")
        look = Folder(self.root)
        self.assertEqual(look.state, {})
        self.assertEqual(len(look.hidden), 3)

    def test_a_mode_is_part_of_a_state(self):
        path = put(self.root, "a.csv", "a")
        before = Folder(self.root).state
        os.chmod(path, 0o600)
        self.assertNotEqual(before, Folder(self.root).state)

    def test_old_and_new_may_mix_but_not_vanish(self):
        old, new = {"a": 1, "b": 1}, {"a": 2, "b": 2, "c": 2}
        self.assertEqual(mixed({"a": 1, "b": 2}, old, new), [])
        self.assertEqual(mixed({"a": 2, "b": 1, "c": 2}, old, new), [])
        self.assertEqual(mixed({"a": 3, "b": 1}, old, new), ["a"])
        self.assertEqual(mixed({"b": 1}, old, new), ["a"])
        self.assertEqual(mixed({"a": 1, "b": 1, "x": 1}, old, new), ["x"])

    def test_what_is_no_session_is_damaged(self):
        put(self.root, "walk.pvs", "no database " * 100)
        self.assertIn("damaged", Folder(self.root).sessions["walk.pvs"])


if __name__ == "__main__":
    unittest.main()
