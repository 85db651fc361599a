import { iso31661Alpha2ToAlpha3 } from 'iso-3166/1-a2-to-1-a3.js'

export type Choice = { readonly value: string; readonly label: string }

const known = new Map<string, readonly Choice[]>()

export function countries(locale: string): readonly Choice[] {
  const list = known.get(locale) ?? listCountries(locale)
  known.set(locale, list)
  return list
}

function listCountries(locale: string): readonly Choice[] {
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  return Object.keys(iso31661Alpha2ToAlpha3)
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((one, other) => one.label.localeCompare(other.label, locale))
}
