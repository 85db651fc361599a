// Chooses the language of a page: the language that the shop sent, else one of the browser's languages, else English.
import { ar } from './translations/ar.ts'
import { de } from './translations/de.ts'
import { en, type Words } from './translations/en.ts'
import { es } from './translations/es.ts'
import { fr } from './translations/fr.ts'
import { pt } from './translations/pt.ts'
import { vi } from './translations/vi.ts'
import { zh } from './translations/zh.ts'
import { zhHant } from './translations/zh-hant.ts'

export type Translation = {
  readonly tag: string
  readonly dir: 'ltr' | 'rtl'
  /** The locale of amounts, dates and the names of countries. */
  readonly locale: string
  readonly words: Words
}

const translations = {
  en: { tag: 'en', dir: 'ltr', locale: 'en', words: en },
  zh: { tag: 'zh-Hans', dir: 'ltr', locale: 'zh-CN', words: zh },
  'zh-hant': { tag: 'zh-Hant', dir: 'ltr', locale: 'zh-TW', words: zhHant },
  es: { tag: 'es', dir: 'ltr', locale: 'es', words: es },
  pt: { tag: 'pt-BR', dir: 'ltr', locale: 'pt-BR', words: pt },
  vi: { tag: 'vi', dir: 'ltr', locale: 'vi', words: vi },
  de: { tag: 'de', dir: 'ltr', locale: 'de', words: de },
  fr: { tag: 'fr', dir: 'ltr', locale: 'fr', words: fr },
  // Arabic pages have Latin digits, so that payers can compare the digits with their accounts and cards.
  ar: { tag: 'ar', dir: 'rtl', locale: 'ar-u-nu-latn', words: ar },
} as const satisfies Record<string, Translation>

export type Language = keyof typeof translations

export const languages = Object.keys(translations).filter(isLanguage)

export function translationOf(language: Language): Translation {
  return translations[language]
}

/** Chooses a language. `wanted` is a language tag or ''. `acceptLanguage` is the header Accept-Language. */
export function chooseLanguage(wanted: string, acceptLanguage: string | undefined): Language {
  return languageOf(wanted) ?? firstAccepted(acceptLanguage ?? '') ?? 'en'
}

function firstAccepted(header: string): Language | undefined {
  const accepted = header.slice(0, 1024).split(',').map(readAccepted)
  const wanted = accepted.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight)
  return wanted.map(({ tag }) => languageOf(tag)).find((language) => language !== undefined)
}

function readAccepted(text: string): { readonly tag: string; readonly weight: number } {
  const [tag = '', ...parameters] = text.trim().split(';')
  const [, weight = '1'] = /^\s*q=([\d.]+)$/.exec(parameters.join(';')) ?? []
  return { tag, weight: Number(weight) || 0 }
}

/** Returns the language of a tag. A variant without texts gets the texts of its language: `de-AT` gets German. */
function languageOf(tag: string): Language | undefined {
  const [language = '', ...subtags] = tag.trim().toLowerCase().split(/[-_]/)
  if (language === 'zh') return isTraditional(subtags) ? 'zh-hant' : 'zh'
  return isLanguage(language) ? language : undefined
}

const traditionalRegions: readonly string[] = ['tw', 'hk', 'mo']

/** True for traditional Chinese. The script of the tag decides. Without a script, the region decides. */
function isTraditional(subtags: readonly string[]): boolean {
  if (subtags.includes('hans')) return false
  return subtags.includes('hant') || subtags.some((subtag) => traditionalRegions.includes(subtag))
}

function isLanguage(name: string): name is Language {
  return Object.hasOwn(translations, name)
}
