// The words and formats of the person's language.
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { en, type Words } from './en.ts'
import { firstLanguage, type Language, locales, storeLanguage } from './language.ts'
import { zh } from './zh.ts'

type Spoken = {
  readonly language: Language
  readonly words: Words
  readonly locale: string
  speak(language: Language): void
}

const dictionaries: Readonly<Record<Language, Words>> = { en, zh }

const Context = createContext<Spoken>({ language: 'en', words: en, locale: locales.en, speak: () => {} })

export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(firstLanguage)
  useEffect(() => {
    document.documentElement.lang = locales[language]
  }, [language])
  const speak = (next: Language) => {
    storeLanguage(next)
    setLanguage(next)
  }
  const spoken = { language, words: dictionaries[language], locale: locales[language], speak }
  return <Context value={spoken}>{children}</Context>
}

export function useWords(): Words {
  return useContext(Context).words
}

export function useLanguage(): Spoken {
  return useContext(Context)
}
