"""Testing mechanisms that can be run but not read: samplers, events, attacks. What comes out is `Evidence`."""
