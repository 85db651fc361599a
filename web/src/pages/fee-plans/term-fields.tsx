// The fields of terms: what an order by a method costs, and when it is settled.
import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import type { Form } from '../../parts/use-form.ts'
import { useWords } from '../../words/use-words.tsx'
import type { Entered } from '../merchants/edit-with-preview.tsx'
import type { Terms } from './terms-table.tsx'

const names = [
  'feeBps',
  'feeFixed',
  'refundFee',
  'chargebackFee',
  'marginBps',
  'marginDays',
  'settleDays',
] as const

export function TermFields({ form }: { readonly form: Form<Entered> }) {
  const { merchants } = useWords()
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      {names.map((name) => (
        <TextInput key={name} label={merchants.fields[name]} {...form.field(name)} />
      ))}
    </SimpleGrid>
  )
}

/** The method of an order whose payer has not chosen one. */
const NOT_CHOSEN = 'checkout'

type MethodProps = {
  readonly field: ReturnType<Form<Entered>['field']>
  /** What can be chosen besides, such as payouts. */
  readonly more?: readonly { readonly value: string; readonly label: string }[]
}

export function MethodField({ field, more = [] }: MethodProps) {
  const { merchants, orders } = useWords()
  const methods = Object.entries(orders.methods)
    .filter(([value]) => value !== NOT_CHOSEN)
    .map(([value, label]) => ({ value, label }))
  return <NativeSelect label={merchants.plan.method} data={[...methods, ...more]} {...field} />
}

/** Empty for a method without terms of its own. */
export function termTexts(terms: Terms | undefined): Record<(typeof names)[number], string> {
  return {
    feeBps: String(terms?.feeBps ?? ''),
    feeFixed: terms?.feeFixed ?? '',
    refundFee: terms?.refundFee ?? '',
    chargebackFee: terms?.chargebackFee ?? '',
    marginBps: String(terms?.marginBps ?? ''),
    marginDays: String(terms?.marginDays ?? ''),
    settleDays: String(terms?.settleDays ?? ''),
  }
}
