"""The page of the lab: HTML, style and modules of JavaScript, which are served as they are."""
