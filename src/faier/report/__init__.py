"""Results for people and for machines: sentences, tables, pictures and JSON. Never imports an engine."""
