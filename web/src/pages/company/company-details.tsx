// The details that a company enters about itself. People who may change them get a form, and others see the facts.
import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Reply } from '../../api/send.ts'
import { useSend } from '../../api/use-call.ts'
import { DoneNote } from '../../parts/done-note.tsx'
import { Facts } from '../../parts/facts.tsx'
import { FormFrame } from '../../parts/form-frame.tsx'
import { Section } from '../../parts/section.tsx'
import { useEditForm } from '../../parts/use-edit-form.ts'
import { useMay } from '../../shell/me.tsx'
import { companyWords } from '../../words/company.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import { countriesIn } from '../sign-in/countries.ts'

type Details = Reply<'GET /company'>['details']

type Props = { readonly details: Details }

export function CompanyDetails({ details }: Props) {
  const company = useWords(companyWords)
  const mayEdit = useMay()('company.edit')
  return (
    <Section title={company.details} {...(mayEdit && { hint: company.detailsHint })}>
      {mayEdit ? <DetailsForm details={details} /> : <DetailsFacts of={details} />}
    </Section>
  )
}

export function DetailsFacts({ of }: { readonly of: Omit<Details, 'version'> }) {
  const { locale } = useLanguage()
  const company = useWords(companyWords)
  const country = of.country === '' ? '' : new Intl.DisplayNames(locale, { type: 'region' }).of(of.country)
  return (
    <Facts
      of={[
        [company.contact, of.contact || company.none],
        [company.email, of.email || company.none],
        [company.website, of.website || company.none],
        [company.country, country || company.none],
      ]}
    />
  )
}

function DetailsForm({ details }: Props) {
  const { locale } = useLanguage()
  const company = useWords(companyWords)
  const save = useSend('PUT /company/details')
  const [isSaved, setIsSaved] = useState(false)
  const { version: loaded, ...values } = details
  const form = useEditForm({ values, version: loaded }, async (typed, version) => {
    setIsSaved(false)
    const saved = await save({ body: { ...typed, version } })
    setIsSaved(true)
    return saved.version
  })
  return (
    <FormFrame form={form} action={company.save} reload={form.reload}>
      <TextInput label={company.contact} autoComplete="name" {...form.field('contact')} />
      <TextInput type="email" label={company.email} autoComplete="email" {...form.field('email')} />
      <TextInput
        label={company.website}
        description={company.websiteHint}
        autoComplete="url"
        {...form.field('website')}
      />
      <NativeSelect
        label={company.country}
        autoComplete="country"
        data={[{ value: '', label: '' }, ...countriesIn(locale)]}
        {...form.field('country')}
      />
      <DoneNote>{isSaved ? company.saved : undefined}</DoneNote>
    </FormFrame>
  )
}
