// The fields of terms: the fees of an order, and the time of its settlement.
import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import type { Form } from '../../parts/use-form.ts'
import { merchantsWords } from '../../words/merchants.ts'
import { ordersWords } from '../../words/orders.ts'
import { useWords } from '../../words/use-words.tsx'
import type { Entered, Texts } from '../merchants/edit-with-preview.tsx'
import type { Terms } from './terms-table.tsx'

type Props = { readonly form: Form<Entered> }

export function TermFields({ form }: Props) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <TermInputs form={form} />
    </SimpleGrid>
  )
}

export function TermInputs({ form }: Props) {
  const labels: Readonly<Record<Exclude<keyof Terms, 'method'>, string>> = useWords(merchantsWords).terms
  return Object.entries(labels).map(([name, label]) => (
    <TextInput key={name} label={label} {...form.field(name)} />
  ))
}

/** The method of an order whose payer has not chosen a method yet. The form does not offer this method. */
const NOT_CHOSEN = 'checkout'

type MethodProps = {
  readonly field: ReturnType<Form<Entered>['field']>
  readonly more?: readonly { readonly value: string; readonly label: string }[]
}

export function MethodField({ field, more = [] }: MethodProps) {
  const merchants = useWords(merchantsWords)
  const orders = useWords(ordersWords)
  const methods = Object.entries(orders.methods)
    .filter(([value]) => value !== NOT_CHOSEN)
    .map(([value, label]) => ({ value, label }))
  return <NativeSelect label={merchants.plan.method} data={[...methods, ...more]} {...field} />
}

/** Returns the terms as texts of a form. The texts are empty if the method has no terms of its own. */
export function termTexts(terms: Terms | undefined): Texts {
  const texts: Readonly<Record<string, unknown>> = terms ?? {}
  return Object.fromEntries(
    Object.keys(merchantsWords.en.terms).map((name) => [name, String(texts[name] ?? '')]),
  )
}
