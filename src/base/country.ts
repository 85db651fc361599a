import { iso31661Alpha2ToAlpha3 } from 'iso-3166/1-a2-to-1-a3.js'

/** The two-letter codes of ISO 3166-1. */
export const countryCodes: ReadonlySet<string> = new Set(Object.keys(iso31661Alpha2ToAlpha3))
