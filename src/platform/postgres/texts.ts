// Conditions on text columns, and the removal of NUL escapes. The database's own lower() knows only ASCII letters if
// its locale is C. A pattern therefore contains both cases of a letter, so that every server finds the same rows.

const special = /[.*+?^${}()|[\]\\]/

/** A pattern for `column ~ $1` that finds the text in upper and lower case. */
export function containsAnyCase(text: string): string {
  return [...text].map(bothCases).join('')
}

function bothCases(letter: string): string {
  if (special.test(letter)) return `\\${letter}`
  const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()]
  if (lower === upper) return letter
  // The upper case of ß has two letters, which a character class cannot express.
  const cases = [lower, upper].filter((one) => [...one].length === 1)
  return cases.length === 2 ? `[${cases.join('')}]` : letter
}

/**
 * Removes the escape \u0000, which PostgreSQL's text type cannot hold, from JSON that is stored as text. An escaped
 * backslash starts no escape: `"\\u0000"` is a text that someone typed, and stays.
 */
export function withoutNul(column: string): string {
  return `case when strpos(${column}, 'u0000') = 0 then ${column}
    else regexp_replace(${column}, '(?<!\\\\)((?:\\\\\\\\)*)\\\\u0000', '\\1', 'g') end`
}
