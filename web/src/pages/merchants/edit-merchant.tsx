import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../api/use-call.ts'
import { merchantsWords } from '../../words/merchants.ts'
import { useWords } from '../../words/use-words.tsx'
import { TermInputs, termTexts } from '../fee-plans/term-fields.tsx'
import { changedIn, EditWithPreview, type Texts } from './edit-with-preview.tsx'
import { LogoField } from './logo-field.tsx'
import type { Merchant } from './merchant-facts.tsx'

const general = ['name', 'timezone'] as const

const names = [
  'payoutFeeBps',
  'payoutFeeFixed',
  'currencies',
  'settleCurrency',
  'methods',
  'cardBrands',
  'limitSingle',
  'limitDaily',
  'limitMonthly',
  'refundCredit',
  'payoutApproval',
  'reviewAbove',
  'chargebackUrl',
  'ips',
  'accent',
] as const

const switches = [
  'approveRefunds',
  'notifyReview',
  'amountsInNotifications',
  'signAnswers',
  'requireRsa',
  'requireIp',
] as const

type Name = (typeof general)[number] | (typeof names)[number] | (typeof switches)[number] | 'logo'

type Props = { readonly merchant: Merchant; readonly version: string; readonly close: () => void }

export function EditMerchant({ merchant, version, close }: Props) {
  const merchants = useWords(merchantsWords)
  const save = useSend('PUT /merchants/:merNo')
  // The file is kept here, because the component of its field does not exist while the preview is shown.
  const [logo, setLogo] = useState<File | null>(null)
  const onOff = [
    { value: 'on', label: merchants.yes },
    { value: 'off', label: merchants.no },
  ]
  return (
    <EditWithPreview
      title={merchants.editTitle}
      before={textsOf(merchant)}
      version={version}
      close={close}
      send={(entered, editing, before) =>
        save({
          params: { merNo: merchant.merNo },
          body: { options: optionsOf(changedIn(before, entered)), ...editing },
        })
      }
    >
      {(form) => (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          {general.map((name) => (
            <TextInput key={name} label={merchants.fields[name]} {...form.field(name)} />
          ))}
          <TermInputs form={form} />
          {names.map((name) => (
            <TextInput key={name} label={merchants.fields[name]} {...form.field(name)} />
          ))}
          {switches.map((name) => (
            <NativeSelect key={name} label={merchants.facts[name]} data={onOff} {...form.field(name)} />
          ))}
          <LogoField
            value={form.values.logo ?? ''}
            set={(value) => form.set('logo', value)}
            problem={form.problemAt('logo')}
            file={logo}
            setFile={setLogo}
            hasLogo={merchant.logo !== null}
          />
        </SimpleGrid>
      )}
    </EditWithPreview>
  )
}

function optionsOf({ ips, ...others }: Texts) {
  return { ...others, ...(ips !== undefined && { ips: ips.split(',').map((one) => one.trim()) }) }
}

function textsOf(merchant: Merchant): Record<Name, string> {
  const planOf = (wanted: string) => merchant.feePlans.find(({ method }) => method === wanted)
  const payout = planOf('payout')
  const { single, daily, monthly } = merchant.limits
  const list = (values: readonly string[] | 'all') => (values === 'all' ? 'all' : values.join(','))
  const onOff = (isOn: boolean) => (isOn ? 'on' : 'off')
  return {
    name: merchant.name,
    timezone: merchant.timezone,
    ...termTexts(planOf('all')),
    payoutFeeBps: String(payout?.feeBps ?? ''),
    payoutFeeFixed: payout?.feeFixed ?? '',
    currencies: Object.keys(merchant.currencies).join(','),
    settleCurrency: '',
    methods: list(merchant.methods),
    cardBrands: list(merchant.cardBrands),
    limitSingle: single ?? 'none',
    limitDaily: daily ?? 'none',
    limitMonthly: monthly ?? 'none',
    refundCredit: merchant.refundCredit ?? '',
    payoutApproval: merchant.payoutApproval ?? 'none',
    reviewAbove: merchant.reviewAbove ?? 'none',
    chargebackUrl: merchant.chargebackUrl,
    ips: merchant.ips.join(','),
    accent: merchant.accent ?? 'none',
    logo: '',
    approveRefunds: onOff(merchant.approveRefunds),
    notifyReview: onOff(merchant.notifyReview),
    amountsInNotifications: onOff(merchant.amountsInNotifications),
    signAnswers: onOff(merchant.signAnswers),
    requireRsa: onOff(merchant.requireRsa),
    requireIp: onOff(merchant.requireIp),
  }
}
