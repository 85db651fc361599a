// Finds the translation of a sentence that the server wrote. In a listed sentence, `{}` stands for a value. A value may
// itself be a listed sentence.
import type { Language } from './language.ts'
import { fieldTexts } from './zh/field-texts.ts'

export type Sentences = typeof fieldTexts

export type Translate = (text: string) => string | undefined

/** Makes a translator. `colon` is put between the two parts of a refusal: the problem and its subject. */
export function translator(sentences: Sentences, colon: string): Translate {
  // Longer sentences are tried first, because a placeholder in a shorter sentence could match words of a longer
  // sentence.
  const known = Object.entries(sentences)
    .sort(([one], [other]) => other.length - one.length)
    .map(([english, translation]) => ({ pattern: patternOf(english), translation }))

  function whole(text: string): string | undefined {
    for (const { pattern, translation } of known) {
      const values = pattern.exec(text)?.slice(1)
      if (values !== undefined) return fill(translation, values.map(orItself))
    }
    return undefined
  }

  function orItself(text: string): string {
    return translate(text) ?? text
  }

  function translate(text: string): string | undefined {
    const found = whole(text)
    if (found !== undefined) return found
    const [, head = '', about = ''] = /^([^:]+): (.+)$/s.exec(text) ?? []
    const translated = whole(head)
    return translated === undefined ? undefined : translated + colon + orItself(about)
  }

  return translate
}

function patternOf(english: string): RegExp {
  const parts = english.split('{}').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('(.+?)')}$`, 's')
}

function fill(translation: string, values: readonly string[]): string {
  let at = 0
  return translation.replace(/\{\}/g, () => values[at++] ?? '')
}

const translate = translator(fieldTexts, '：')

/** Translates a message that the server wrote in English for a field. */
export type FieldText = (text: string) => string

export const fieldTextWords: Readonly<Record<Language, FieldText>> = {
  en: (text) => text,
  zh: (text) => translate(text) ?? text,
}
