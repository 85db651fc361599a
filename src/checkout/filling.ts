// A form that is being filled in: what was typed, and what is wrong with it, named and not yet worded.
import type { Method } from '../channels/method.ts'
import type { AskedField } from '../channels/traits.ts'
import type { Form } from '../pages/form.ts'
import type { Notice, Problem } from '../pages/words/en.ts'

export type Problems = Readonly<Record<string, Problem>>

export type Filling = {
  /** The way that was chosen; undefined: the first is unfolded. */
  readonly method?: Method | undefined
  readonly values: Form
  /** By the name of the field. */
  readonly problems: Problems
  readonly notice?: Notice | undefined
}

/** Reads a field by the rules of the merchant interface; undefined when the text breaks one. */
export type ReadEntered = (
  method: Method,
  asked: Pick<AskedField, 'name' | 'maxLength'>,
  text: string,
) => { readonly value: unknown } | undefined
