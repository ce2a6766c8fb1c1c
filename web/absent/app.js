// The page was not built.
