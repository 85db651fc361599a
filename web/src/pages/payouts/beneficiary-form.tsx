import { Alert, Checkbox, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { currencyDoubt } from '../../../../src/platform/base/iban-currency.ts'
import { Refusal } from '../../api/refusal.ts'
import { type RowOf, useCall, useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { useForm } from '../../parts/use-form.ts'
import { payoutsWords } from '../../words/payouts.ts'
import { useWords } from '../../words/use-words.tsx'

const kinds = ['bank_account', 'pix', 'per_transfer', 'spei', 'coin'] as const
type Kind = (typeof kinds)[number]

/**
 * The fields of each kind of account, except the account itself. If a kind has only one currency, the form does not ask
 * for the currency.
 */
const names = ['benFirstName', 'benLastName'] as const
const needed = {
  bank_account: [...names, 'addressLine', 'city', 'countryCode', 'beneficiaryType', 'bankCode'],
  pix: names,
  per_transfer: [...names, 'accountType', 'customerIdentificationType', 'customerIdentification'],
  spei: names,
  coin: [...names, 'chain'],
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
  chain: '',
}

type Saved = RowOf<'GET /beneficiaries'>

type Props = {
  /** The saved beneficiary. Undefined for a new one. */
  readonly saved?: Saved | undefined
  readonly close: () => void
  readonly reload: () => void
}

export function BeneficiaryForm({ saved, close, reload }: Props) {
  const payouts = useWords(payoutsWords)
  const add = useSend('POST /beneficiaries')
  const change = useSend('PUT /beneficiaries/:beneficiaryId')
  const form = useForm(valuesOf(saved), async (values) => {
    const kind = kindOf(values.kind)
    const { label, cardNo } = values
    const named: Record<string, string> = Object.fromEntries(needed[kind].map((name) => [name, values[name]]))
    const { chain, ...others } = named
    const typed = { ...others, ...(chain !== undefined && partsOf(chain)), cardNo }
    const given = Object.entries(typed).map(([name, value]) => [name, value.trim()] as const)
    const fields = Object.fromEntries(given.filter(([, value]) => value !== ''))
    const currency = currencies[kind] ?? values.currency.trim().toUpperCase()
    const body = { label, kind, currency, fields }
    const { beneficiaryId, version } = saved ?? {}
    const isNew = beneficiaryId === undefined || version === undefined
    const sending = isNew ? add({ body }) : change({ params: { beneficiaryId }, body: { ...body, version } })
    await sending.catch(atChain)
    close()
  })
  const kind = kindOf(form.values.kind)
  const { cardNo, currency } = form.values
  const doubt = kind === 'bank_account' ? currencyDoubt(cardNo, currency) : undefined
  const confirmed = `${cardNo} ${currency}`
  const [meant, setMeant] = useState('')
  const chains = useChains(saved)
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
    chain: chains.map((value) => ({ value, label: value })),
  }
  return (
    <FormFrame
      form={form}
      action={payouts.save}
      cancel={close}
      reload={reload}
      disabled={doubt !== undefined && meant !== confirmed}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <TextInput label={payouts.label} maxLength={80} data-autofocus {...form.field('label')} />
        <Select
          label={payouts.kind}
          allowDeselect={false}
          disabled={saved !== undefined}
          data={kinds
            .filter((value) => value !== 'coin' || chains.length > 0)
            .map((value) => ({ value, label: payouts.kinds[value] }))}
          {...form.field('kind')}
        />
        <TextInput
          label={payouts.accountHints[kind]}
          autoComplete="off"
          {...(saved !== undefined && { description: payouts.keepAccount(saved.account) })}
          {...form.field('cardNo')}
        />
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
      {doubt !== undefined && (
        <Alert color="yellow" role="status">
          <Stack gap="sm">
            {payouts.currencyDoubt(doubt.country, currency.trim().toUpperCase(), doubt.usual)}
            <Checkbox
              label={payouts.currencyMeant}
              checked={meant === confirmed}
              onChange={({ currentTarget: { checked } }) => setMeant(checked ? confirmed : '')}
            />
          </Stack>
        </Alert>
      )}
    </FormFrame>
  )
}

/** Returns the coins that can be paid out now, and the coin of the saved beneficiary. Each coin has its network. */
function useChains(saved: Saved | undefined): string[] {
  const { data } = useCall('GET /payouts/coins', {})
  const payable = (data?.coins ?? []).map(({ coin, network }) => `${coin} ${network}`)
  const own = saved === undefined ? '' : chainOf(saved)
  return [...new Set(own === '' ? payable : [own, ...payable])]
}

function chainOf({ kind, details: { coin = '', network = '' } }: Saved): string {
  return kind === 'coin' ? `${coin} ${network}` : ''
}

function partsOf(chain: string): { coin: string; network: string } {
  const [coin = '', network = ''] = chain.split(' ')
  return { coin, network }
}

/**
 * Returns the values with which the form opens. Fields that are never shown are empty. If nothing is typed, the server
 * keeps their values.
 */
function valuesOf(saved: Saved | undefined): typeof empty {
  if (saved === undefined) return empty
  const { label, kind, currency, details } = saved
  return { ...empty, ...details, label, kind, currency, chain: chainOf(saved) }
}

function kindOf(text: string): Kind {
  return kinds.find((kind) => kind === text) ?? 'bank_account'
}

/** Moves a problem with the coin or the network to the form's single field for both. */
function atChain(error: unknown): never {
  if (!(error instanceof Refusal)) throw error
  const fields = Object.entries(error.fields).map(([name, text]) => [
    name.replace(/^(coin|network)$/, 'chain'),
    text,
  ])
  throw new Refusal(error.code, error.message, Object.fromEntries(fields))
}
