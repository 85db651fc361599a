// Finds a text in either case. The database's own lower() knows only ASCII letters where its locale is C, so the pattern names both
// cases of every letter, and every server finds the same.

const special = /[.*+?^${}()|[\]\\]/

/** A regular expression, for `column ~ $1`: the column contains the text. */
export function containsAnyCase(text: string): string {
  return [...text].map(bothCases).join('')
}

function bothCases(letter: string): string {
  if (special.test(letter)) return `\\${letter}`
  const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()]
  if (lower === upper) return letter
  // A letter such as ß is two in the other case.
  const cases = [lower, upper].filter((one) => [...one].length === 1)
  return cases.length === 2 ? `[${cases.join('')}]` : letter
}
