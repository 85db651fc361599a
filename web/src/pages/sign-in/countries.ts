// The names of countries in a language, from the browser's own data.

/** Codes for which the browser has a name, but which are not countries in ISO 3166-1. */
const notCountries: readonly string[] = [
  'EU',
  'EZ',
  'UN',
  'QO',
  'XA',
  'XB',
  'ZZ',
  'AC',
  'CP',
  'DG',
  'EA',
  'IC',
  'TA',
]

export function countriesIn(locale: string): readonly { readonly value: string; readonly label: string }[] {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  const found = codes.flatMap((value) => {
    const label = notCountries.includes(value) || isOld(value) ? undefined : names.of(value)
    return label === undefined ? [] : [{ value, label }]
  })
  return found.sort((one, other) => one.label.localeCompare(other.label, locale))
}

/** True for the code of a former country. The browser replaces such a code with the current one. */
function isOld(code: string): boolean {
  return (
    new Intl.Locale(`und-${code}`).region !== code ||
    Intl.getCanonicalLocales(`und-${code}`)[0] !== `und-${code}`
  )
}
