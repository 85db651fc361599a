// The logo and the colour of the company's payment pages. A preview shows the present input.
import { Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { accentColours, contrast, toRgb } from '../../../../src/platform/pages/accent.ts'
import type { Reply } from '../../api/send.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { DoneNote } from '../../parts/done-note.tsx'
import { FormFrame } from '../../parts/form-frame.tsx'
import { formatMoney } from '../../parts/money.tsx'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useEditForm } from '../../parts/use-edit-form.ts'
import { useMay } from '../../shell/me.tsx'
import { companyWords } from '../../words/company.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import { LogoField, NO_LOGO } from '../merchants/logo-field.tsx'

type Company = Reply<'GET /company'>
type Look = Reply<'GET /company/look'>

/** The gateway's own colours, as in pay.css. */
const OWN = {
  light: { accent: '#0f766e', onAccent: '#ffffff', accentText: '#0f766e' },
  dark: { accent: '#2dd4bf', onAccent: '#06201d', accentText: '#2dd4bf' },
} as const

export function CompanyLook({ company }: { readonly company: Company }) {
  const mayEdit = useMay()('company.edit')
  return mayEdit && <Editable company={company} />
}

function Editable({ company }: { readonly company: Company }) {
  const words = useWords(companyWords)
  const look = useCall('GET /company/look', {})
  return (
    <Section title={words.look} hint={words.lookHint}>
      <Loaded query={look} lines={6}>
        {(loaded) => <LookForm company={company} look={loaded} />}
      </Loaded>
    </Section>
  )
}

function LookForm({ company, look }: { readonly company: Company; readonly look: Look }) {
  const words = useWords(companyWords)
  const save = useSend('PUT /company/look')
  const [file, setFile] = useState<File | null>(null)
  const [isSaved, setIsSaved] = useState(false)
  const values = { accent: look.accent ?? '', logo: '' }
  const form = useEditForm({ values, version: look.version }, async ({ accent, logo }, version) => {
    setIsSaved(false)
    const body = { accent: accent.trim() || 'none', ...(logo !== '' && { logo }), version }
    const saved = await save({ body })
    setFile(null)
    setIsSaved(true)
    return saved.version
  })
  const { accent, logo } = form.values
  const chosen = logo === '' ? look.logo : logo === NO_LOGO ? null : `data:${file?.type};base64,${logo}`
  const colour = /^#[0-9a-f]{6}$/i.test(accent.trim()) ? accent.trim() : undefined
  return (
    <Group align="flex-start" gap="xl">
      <FormFrame form={form} action={words.saveLook} reload={form.reload}>
        <TextInput
          label={words.accent}
          description={words.accentHint}
          placeholder={OWN.light.accent}
          rightSection={
            <input
              type="color"
              className="colour"
              aria-label={words.chooseColour}
              value={colour ?? OWN.light.accent}
              onChange={({ currentTarget }) => form.set('accent', currentTarget.value)}
            />
          }
          {...form.field('accent')}
        />
        <LogoField
          value={logo}
          set={(value) => form.set('logo', value)}
          problem={form.problemAt('logo')}
          file={file}
          setFile={setFile}
          hasLogo={look.logo !== null}
        />
        <DoneNote>{isSaved ? words.lookSaved : undefined}</DoneNote>
      </FormFrame>
      <Preview company={company} colour={colour} logo={chosen} />
    </Group>
  )
}

type PreviewProps = {
  readonly company: Company
  readonly colour: string | undefined
  readonly logo: string | null
}

/** Shows the head and the button of a payment page, with the colours that the payment page would compute. */
function Preview({ company, colour, logo }: PreviewProps) {
  const words = useWords(companyWords)
  const { locale } = useLanguage()
  const sum = formatMoney({ amount: '24.00', currency: company.currencies[0]?.currency ?? 'EUR' }, locale)
  const { accent, onAccent } = colour === undefined ? OWN.light : accentColours(colour, 'light')
  const oneDecimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const ratio = oneDecimal.format(contrast(toRgb(accent), toRgb(onAccent)))
  return (
    <Stack gap="sm" component="section" aria-label={words.preview}>
      <Group gap="md" align="flex-start">
        {(['light', 'dark'] as const).map((mode) => {
          const colours = colour === undefined ? OWN[mode] : accentColours(colour, mode)
          const button = {
            background: colours.accent,
            color: colours.onAccent,
            borderColor: colours.accentText,
          }
          return (
            <figure key={mode} className="pay-preview" data-mode={mode}>
              <figcaption>{words[mode]}</figcaption>
              <div className="pay-bar">
                {logo !== null && <img src={logo} alt="" width={40} height={40} />}
                <strong>{company.name}</strong>
                <strong className="money">{sum}</strong>
              </div>
              <div className="pay-step">
                <span className="pay-button" style={button}>
                  {words.pay(sum)}
                </span>
              </div>
            </figure>
          )
        })}
      </Group>
      {colour !== undefined && (
        <Text c="dimmed" size="sm" role="status">
          {words.contrast(onAccent === '#ffffff', ratio)}
        </Text>
      )}
    </Stack>
  )
}
