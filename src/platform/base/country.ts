// Countries (ISO 3166-1) and their states and provinces (ISO 3166-2).
import { iso31661Alpha2ToAlpha3 } from 'iso-3166/1-a2-to-1-a3.js'
import { iso31662 } from 'iso-3166/2.js'
import { memoize } from './memoize.ts'

export const countryCodes: ReadonlySet<string> = new Set(Object.keys(iso31661Alpha2ToAlpha3))

type State = { readonly code: string; readonly words: string }

const MOST_COUNTRIES = 300

const statesOf = memoize(MOST_COUNTRIES, (country): readonly State[] => {
  const prefix = `${country}-`
  return iso31662
    .filter(({ code }) => code.startsWith(prefix))
    .map(({ code, name }) => ({ code: code.slice(prefix.length), words: wordsOf(name) }))
})

/**
 * Returns the code of a state without the country, such as `BY` for `Bayern` in `DE`. The text may be the code, the
 * name or an unambiguous beginning of the name (`Guangdong`, `Calif.`). The text may also end with the code
 * (`Washington, D.C.`).
 */
export function stateCodeOf(country: string, text: string): string | undefined {
  const states = statesOf(country)
  const written = text.toUpperCase().replace(/[\s.]/g, '')
  const byCode = states.find(({ code }) => written === code || written === `${country}-${code}`)
  if (byCode !== undefined) return byCode.code
  const words = wordsOf(text)
  if (words === '') return undefined
  const byName = states.find((state) => state.words === words)
  const beginning = text.trim().endsWith('.') ? words : `${words} `
  const [first, ...others] = states.filter((state) => state.words.startsWith(beginning))
  const found = byName ?? (others.length === 0 ? first : undefined)
  const [, last] = /[\s,]([A-Z][A-Z.]+)$/.exec(text.trim()) ?? []
  return found?.code ?? (last === undefined ? undefined : codeIn(states, last.replaceAll('.', '')))
}

function codeIn(states: readonly State[], code: string): string | undefined {
  return states.find((state) => state.code === code)?.code
}

/** The words of a name without accents: `Baden-Württemberg` becomes `baden wurttemberg`. */
function wordsOf(name: string): string {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
}
