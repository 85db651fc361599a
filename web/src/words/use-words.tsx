// The words and formats of the person's language.
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { firstLanguage, type Language, locales, storeLanguage } from './language.ts'

type Spoken = {
  readonly language: Language
  readonly locale: string
  speak(language: Language): void
}

const Context = createContext<Spoken>({ language: 'en', locale: locales.en, speak: () => {} })

export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(firstLanguage)
  useEffect(() => {
    document.documentElement.lang = locales[language]
  }, [language])
  const speak = (next: Language) => {
    storeLanguage(next)
    setLanguage(next)
  }
  return <Context value={{ language, locale: locales[language], speak }}>{children}</Context>
}

/** Returns the words of an area: `const audit = useWords(auditWords)`. Each area is a file in this folder. */
export function useWords<Words>(area: Readonly<Record<Language, Words>>): Words {
  return area[useLanguage().language]
}

export function useLanguage(): Spoken {
  return useContext(Context)
}
