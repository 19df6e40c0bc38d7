"""faier: proves or refutes, exactly, how much a privacy mechanism leaks."""
