// The languages of the back office, and the language with which it starts.
export const languages = { en: 'English', zh: '简体中文' } as const

export type Language = keyof typeof languages

export const languageIds = ['en', 'zh'] as const satisfies readonly Language[]

export const locales: Readonly<Record<Language, string>> = { en: 'en-GB', zh: 'zh-CN' }

const STORED = 'tollgate.language'

export function firstLanguage(): Language {
  const stored = localStorage.getItem(STORED)
  if (isLanguage(stored)) return stored
  return navigator.language.startsWith('zh') ? 'zh' : 'en'
}

export function storeLanguage(language: Language): void {
  localStorage.setItem(STORED, language)
}

export function isLanguage(text: string | null): text is Language {
  return text !== null && Object.hasOwn(languages, text)
}
