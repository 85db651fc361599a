// Finds the translation of a sentence that the server wrote at a field. `{}` in a listed sentence stands for a value.
import type { KnownText } from '../../../src/backoffice/field-texts.ts'

/** By the English sentence. */
export type Sentences = Readonly<Record<KnownText, string>>

/** Undefined if the sentence is not listed. */
export function translate(text: string, sentences: Sentences): string | undefined {
  // The longest first: a value of a shorter one may cover the words of a longer one.
  const all = Object.entries(sentences).sort(([one], [other]) => other.length - one.length)
  for (const [english, translation] of all) {
    const values = valuesIn(text, english)
    if (values !== undefined) return fill(translation, values)
  }
  return undefined
}

/** What stands for each `{}`; undefined if the text is another sentence. */
function valuesIn(text: string, english: string): readonly string[] | undefined {
  const parts = english.split('{}').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('(.+?)')}$`, 's').exec(text)?.slice(1)
}

function fill(translation: string, values: readonly string[]): string {
  let at = 0
  return translation.replace(/\{\}/g, () => values[at++] ?? '')
}
