import { Group, Select, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Refusal } from '../../api/refusal.ts'
import { type RowOf, useCall } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useForm } from '../../parts/use-form.ts'
import { payoutsWords } from '../../words/payouts.ts'
import { useWords } from '../../words/use-words.tsx'
import { shortened } from './account-text.tsx'
import { checkOf, type Entered, newKey } from './payout-preview.tsx'

/**
 * The form's fields that can show a problem, by the name of the field in the request. The preview shows all other
 * problems.
 */
const names: Readonly<Record<string, string>> = {
  sourceAmount: 'amount',
  merOrderNo: 'merOrderNo',
  beneficiary: 'beneficiary',
  cardNo: 'beneficiary',
}

export function PayoutForm({ check }: { readonly check: (entered: Entered) => void }) {
  const payouts = useWords(payoutsWords)
  const client = useQueryClient()
  const saved = useCall('GET /beneficiaries', {})
  const form = useForm({ beneficiary: '', amount: '', merOrderNo: '' }, async (values) => {
    const chosen = saved.data?.rows.find((one) => one.beneficiaryId === values.beneficiary)
    const line = {
      beneficiary: values.beneficiary,
      currencyCode: chosen?.currency ?? '',
      sourceAmount: values.amount.trim(),
      merOrderNo: values.merOrderNo.trim(),
    }
    const entered = { key: newKey(), lines: [line] }
    const { lines } = await client.fetchQuery(checkOf(entered))
    const [{ problem = '', field = '' } = {}] = lines
    const name = names[field]
    if (name !== undefined) throw new Refusal('invalid', problem, { [name]: problem })
    check(entered)
  })
  const currency = saved.data?.rows.find((one) => one.beneficiaryId === form.values.beneficiary)?.currency
  return (
    <Loaded query={saved}>
      {({ rows }) => (
        <FormFrame form={form} action={payouts.check} disabled={form.values.beneficiary === ''}>
          <Stack gap="md" maw={520}>
            <Select
              label={payouts.beneficiary}
              placeholder={rows.length === 0 ? payouts.noBeneficiaryYet : payouts.chooseBeneficiary}
              searchable
              data={rows.map((one) => ({
                value: one.beneficiaryId,
                label: nameOf(one),
              }))}
              {...form.field('beneficiary')}
            />
            <Group grow align="flex-start">
              <TextInput
                label={currency === undefined ? payouts.amount : `${payouts.amount} (${currency})`}
                placeholder="10.00"
                inputMode="decimal"
                {...form.field('amount')}
              />
              <TextInput
                label={payouts.orderNo}
                placeholder={payouts.orderNoHint}
                maxLength={32}
                {...form.field('merOrderNo')}
              />
            </Group>
          </Stack>
        </FormFrame>
      )}
    </Loaded>
  )
}

function nameOf({ label, account, currency, details }: RowOf<'GET /beneficiaries'>): string {
  const chain = [details.coin, details.network].filter((part) => part !== undefined)
  return [label, ...chain, shortened(account), `(${currency})`].join(' ')
}
