"""What an attacker may know: priors on data sets, secrets, and which data sets are neighbours."""
