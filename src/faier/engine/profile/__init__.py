"""Approximate privacy: how much probability lies beyond a ratio, and at which ratio it is what is allowed. [T10]"""
