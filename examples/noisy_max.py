"""Report noisy max: the library's, and one with a mistake. `faier epsilon examples/noisy_max.py:five`"""

import faier

five = faier.differential_privacy(faier.library.noisy_max(queries=5), adjacent=faier.each_within(1))


@faier.mechanism(inputs=[(a, b) for a in range(3) for b in range(3)], adjacent=faier.each_within(1))
def careless(answers):
    """Ties go to the first index, which is one of the mistakes that are made with this mechanism."""
    noisy = [faier.draw(faier.noise.truncated_geometric(answer, counts=2, alpha="1/2")) for answer in answers]
    return noisy.index(max(noisy)) + 1
