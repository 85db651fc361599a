import { Select, SimpleGrid, TextInput } from '@mantine/core'
import { Refusal } from '../../api/refusal.ts'
import { useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { useForm } from '../../parts/use-form.ts'
import { useWords } from '../../words/use-words.tsx'

const kinds = ['bank_account', 'pix', 'per_transfer', 'spei'] as const
type Kind = (typeof kinds)[number]

/** What a payout of each kind needs beside the account; its currency, if it has only one. */
const names = ['benFirstName', 'benLastName'] as const
const needed = {
  bank_account: [...names, 'addressLine', 'city', 'countryCode', 'beneficiaryType', 'bankCode'],
  pix: names,
  per_transfer: [...names, 'accountType', 'customerIdentificationType', 'customerIdentification'],
  spei: names,
} as const satisfies Record<Kind, readonly string[]>
const currencies: Readonly<Partial<Record<Kind, string>>> = { pix: 'BRL', per_transfer: 'PEN', spei: 'MXN' }

const empty = {
  label: '',
  kind: 'bank_account',
  currency: 'USD',
  cardNo: '',
  benFirstName: '',
  benLastName: '',
  addressLine: '',
  city: '',
  countryCode: '',
  beneficiaryType: 'individual',
  bankCode: '',
  accountType: '00',
  customerIdentificationType: '00',
  customerIdentification: '',
}

export function BeneficiaryForm({ close }: { readonly close: () => void }) {
  const { payouts } = useWords()
  const add = useSend('POST /beneficiaries')
  const form = useForm(empty, async (values) => {
    const kind = kindOf(values.kind)
    const { label, cardNo } = values
    const fields = Object.fromEntries(
      needed[kind].map((name) => [name, values[name].trim()] as const).filter(([, value]) => value !== ''),
    )
    const currency = currencies[kind] ?? values.currency.trim().toUpperCase()
    await add({ body: { label, kind, currency, fields: { ...fields, cardNo: cardNo.trim() } } }).catch(
      atFields,
    )
    close()
  })
  const kind = kindOf(form.values.kind)
  const choices: Readonly<Record<string, readonly { value: string; label: string }[]>> = {
    beneficiaryType: [
      { value: 'individual', label: payouts.individual },
      { value: 'business', label: payouts.business },
    ],
    accountType: [
      { value: '00', label: payouts.current },
      { value: '01', label: payouts.savings },
    ],
    customerIdentificationType: Object.entries(payouts.documents).map(([value, label]) => ({ value, label })),
  }
  return (
    <FormFrame form={form} action={payouts.save} cancel={close}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <TextInput label={payouts.label} maxLength={80} data-autofocus {...form.field('label')} />
        <Select
          label={payouts.kind}
          allowDeselect={false}
          data={kinds.map((value) => ({ value, label: payouts.kinds[value] }))}
          {...form.field('kind')}
        />
        <TextInput label={payouts.accountHints[kind]} autoComplete="off" {...form.field('cardNo')} />
        {currencies[kind] === undefined && (
          <TextInput label={payouts.currency} maxLength={3} {...form.field('currency')} />
        )}
        {needed[kind].map((name) =>
          choices[name] === undefined ? (
            <TextInput key={name} label={payouts.fields[name]} maxLength={255} {...form.field(name)} />
          ) : (
            <Select
              key={name}
              label={payouts.fields[name]}
              allowDeselect={false}
              data={[...choices[name]]}
              {...form.field(name)}
            />
          ),
        )}
      </SimpleGrid>
    </FormFrame>
  )
}

function kindOf(text: string): Kind {
  return kinds.find((kind) => kind === text) ?? 'bank_account'
}

/** The server names `fields.city`; the form's field is `city`. */
function atFields(error: unknown): never {
  if (!(error instanceof Refusal)) throw error
  const fields = Object.entries(error.fields).map(([name, text]) => [name.replace(/^fields\./, ''), text])
  throw new Refusal(error.code, error.message, Object.fromEntries(fields))
}
