"""Words that repeat a loop: ratios that grow without end, and suprema that are approached and not reached."""
