"""`samekind ask`: the questions of `samekind.asking` on a page in the browser, or in a terminal."""
