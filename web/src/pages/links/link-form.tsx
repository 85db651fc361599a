// The form of a new payment link. The server checks the link by the rules of an order.
import { NativeSelect, SimpleGrid, TextInput, type TextInputProps } from '@mantine/core'
import { useCall, useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useForm } from '../../parts/use-form.ts'
import { linksWords } from '../../words/links.ts'
import { ordersWords } from '../../words/orders.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import type { PaymentLink } from './link-status.tsx'

type Props = { readonly cancel: () => void; readonly made: (link: PaymentLink) => void }
type Choices = {
  readonly currencies: readonly { readonly currency: string; readonly methods: readonly string[] }[]
  readonly languages: readonly string[]
}

export function LinkForm(props: Props) {
  const choices = useCall('GET /link-choices', {})
  return (
    <Loaded query={choices} lines={8}>
      {(found) => <Fields {...props} choices={found} />}
    </Loaded>
  )
}

function Fields({ cancel, made, choices }: Props & { readonly choices: Choices }) {
  const links = useWords(linksWords)
  const orders = useWords(ordersWords)
  const { locale } = useLanguage()
  const make = useSend('POST /links')
  const form = useForm(emptyFor(choices), async (values) => {
    const { amountKind, amount, least, most, method, lastDay, uses, ...rest } = values
    made(
      await make({
        body: {
          ...rest,
          uses: uses === 'many' ? 'many' : 'one',
          ...(amountKind === 'fixed'
            ? { amount: amount.trim() }
            : { least: least.trim(), most: most.trim() }),
          ...(method !== '' && { method }),
          ...(lastDay !== '' && { lastDay }),
        },
      }),
    )
  })
  const { currency, amountKind, uses } = form.values
  const methods = choices.currencies.find((one) => one.currency === currency)?.methods ?? []
  const names = new Intl.DisplayNames([locale], { type: 'language' })
  return (
    <FormFrame form={form} action={links.makeAction} cancel={cancel}>
      <TextInput
        label={links.name}
        description={links.nameHint}
        {...below}
        maxLength={128}
        data-autofocus
        {...form.field('title')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <NativeSelect
          label={links.amountKind}
          data={choicesOf(links.amountKinds)}
          {...form.field('amountKind')}
        />
        <NativeSelect
          label={links.currency}
          data={choices.currencies.map((one) => one.currency)}
          {...form.field('currency')}
        />
        {amountKind === 'fixed' ? (
          <TextInput label={links.amount} inputMode="decimal" maxLength={16} {...form.field('amount')} />
        ) : (
          (['least', 'most'] as const).map((name) => (
            <TextInput
              key={name}
              label={links[name]}
              description={links.optional}
              {...below}
              inputMode="decimal"
              maxLength={16}
              {...form.field(name)}
            />
          ))
        )}
        <NativeSelect
          label={links.uses}
          description={uses === 'many' ? links.usesHint.many : links.usesHint.one}
          {...below}
          data={choicesOf(links.usesOf)}
          {...form.field('uses')}
        />
        <NativeSelect
          label={links.method}
          data={[
            { value: '', label: links.anyMethod },
            ...methods.map((value) => ({ value, label: orders.methods[value] ?? value })),
          ]}
          {...form.field('method')}
        />
        <NativeSelect
          label={links.language}
          data={[
            { value: '', label: links.anyLanguage },
            ...choices.languages.map((value) => ({ value, label: names.of(value) ?? value })),
          ]}
          {...form.field('language')}
        />
        <TextInput
          type="date"
          label={links.lastDay}
          description={links.lastDayHint}
          {...below}
          {...form.field('lastDay')}
        />
        <TextInput
          label={links.reference}
          description={links.referenceHint}
          {...below}
          maxLength={64}
          {...form.field('reference')}
        />
      </SimpleGrid>
      <TextInput
        type="url"
        label={links.notifyUrl}
        description={links.notifyUrlHint}
        {...below}
        maxLength={255}
        {...form.field('notifyUrl')}
      />
    </FormFrame>
  )
}

/** Hints are shown below their fields, so that the fields of one row have the same height. */
const below = { inputWrapperOrder: ['label', 'input', 'description', 'error'] } satisfies TextInputProps

/**
 * The currency with which the form opens. If the merchant does not have this currency, the form opens with the
 * merchant's first currency.
 */
const USUAL = 'USD'

function emptyFor({ currencies }: Choices) {
  return {
    title: '',
    amountKind: 'fixed',
    amount: '',
    least: '',
    most: '',
    currency: (currencies.find(({ currency }) => currency === USUAL) ?? currencies[0])?.currency ?? '',
    method: '',
    uses: 'one',
    language: '',
    lastDay: '',
    reference: '',
    notifyUrl: '',
  }
}

function choicesOf(names: Readonly<Record<string, string>>) {
  return Object.entries(names).map(([value, label]) => ({ value, label }))
}
