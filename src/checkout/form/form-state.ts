// The state of a form: what was typed, and the names of its problems. The page turns the names into text.
import type { Method } from '../../channels/method.ts'
import type { AskedField } from '../../channels/traits.ts'
import type { Form } from '../../pages/form.ts'
import type { Notice, Problem } from '../../pages/translations/en.ts'

export type Problems = Readonly<Record<string, Problem>>

export type FormState = {
  /** The chosen method; if undefined, the first one is unfolded. */
  readonly method?: Method | undefined
  readonly values: Form
  /** By field name. */
  readonly problems: Problems
  readonly notice?: Notice | undefined
}

/** Applies the rules of the merchant interface; undefined if the text breaks one. */
export type ReadEntered = (
  method: Method,
  asked: Pick<AskedField, 'name' | 'maxLength'>,
  text: string,
) => { readonly value: unknown } | undefined
