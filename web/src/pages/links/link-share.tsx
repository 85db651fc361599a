// The ways to share a link: its address, its QR code, a button for a website, and a form that sends it by mail.
import { Button, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { addressOf } from '../../api/send.ts'
import { useSend } from '../../api/use-call.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { DoneNote } from '../../parts/done-note.tsx'
import { Download } from '../../parts/download.tsx'
import { FormFrame } from '../../parts/form-frame.tsx'
import { Section } from '../../parts/section.tsx'
import { useForm } from '../../parts/use-form.ts'
import { useMay } from '../../shell/me.tsx'
import { languages } from '../../words/language.ts'
import { linksWords } from '../../words/links.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import type { PaymentLink } from './link-status.tsx'

export function LinkShare({ link }: { readonly link: PaymentLink }) {
  const links = useWords(linksWords)
  const { linkId, url, status } = link
  const mayEdit = useMay()('links.edit')
  const isOpen = status === 'active' || status === 'claimed'
  const input = { params: { linkId } }
  return (
    <Section title={links.share}>
      <Group gap="xs" wrap="nowrap" align="flex-end">
        <TextInput
          className="grow"
          label={links.address}
          value={url}
          readOnly
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <CopyButton text={url} label={links.copyAddress} />
      </Group>
      <img
        className="qr-code"
        src={addressOf('GET /links/:linkId/qr.svg', input)}
        alt={links.code}
        width={176}
        height={176}
      />
      <Group gap="sm">
        <Download route="GET /links/:linkId/qr.svg" input={input}>
          {links.asSvg}
        </Download>
        <Download route="GET /links/:linkId/qr.png" input={input}>
          {links.asPng}
        </Download>
        <Button component="a" variant="default" href={url} target="_blank" rel="noreferrer">
          {links.openPage}
        </Button>
      </Group>
      <WebsiteButton url={url} />
      {mayEdit && isOpen && <MailForm linkId={linkId} />}
    </Section>
  )
}

/** Shows HTML for the merchant's website. If the script in the HTML does not run, the button is an ordinary link. */
function WebsiteButton({ url }: { readonly url: string }) {
  const links = useWords(linksWords)
  const script = new URL('../drop-in.js', url).href
  const snippet = `<script src="${script}" async></script>\n<a data-tollgate href="${url}">${links.pay}</a>`
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Textarea
        className="grow"
        classNames={{ input: 'mono' }}
        label={links.snippet}
        description={links.snippetHint}
        inputWrapperOrder={['label', 'input', 'description']}
        value={snippet}
        readOnly
        autosize
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <CopyButton text={snippet} label={links.copySnippet} />
    </Group>
  )
}

function MailForm({ linkId }: { readonly linkId: string }) {
  const links = useWords(linksWords)
  const { language } = useLanguage()
  const send = useSend('POST /links/:linkId/mails')
  const [mailed, setMailed] = useState<string>()
  const form = useForm<{ to: string; language: string }>({ to: '', language }, async (values) => {
    setMailed(undefined)
    const to = values.to.trim()
    const body = { to, language: values.language === 'zh' ? 'zh' : 'en' } as const
    await send({ params: { linkId }, body })
    setMailed(links.mailed(to))
    form.reset({ to: '', language: values.language })
  })
  return (
    <Stack gap="xs">
      <FormFrame form={form} action={links.mail}>
        <TextInput type="email" label={links.mailTo} {...form.field('to')} />
        <NativeSelect
          label={links.mailLanguage}
          data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
          {...form.field('language')}
        />
      </FormFrame>
      <DoneNote>{mailed}</DoneNote>
    </Stack>
  )
}
