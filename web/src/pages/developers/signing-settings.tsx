import { Switch, Textarea } from '@mantine/core'
import { useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { useEditForm } from '../../parts/use-edit-form.ts'
import { useMay } from '../../shell/me.tsx'
import { Section, type Settings } from './key-section.tsx'
import { useDeveloperWords } from './use-developer-words.ts'

export function SigningSettings({ of }: { readonly of: Settings['signing'] }) {
  const developers = useDeveloperWords()
  const isFixed = !useMay()('keys.secret')
  const save = useSend('PUT /developers/signing')
  const { version: loaded, ips: listed, ...switches } = of
  const values = { ...switches, ips: listed.join('\n') }
  const form = useEditForm({ values, version: loaded }, async ({ ips, ...rest }, version) => {
    const saved = await save({ body: { version, ...rest, ips: linesOf(ips) } })
    return saved.version
  })
  return (
    <Section title={developers.signing}>
      <FormFrame form={form} action={developers.save} disabled={isFixed} reload={form.reload}>
        <Switch
          label={developers.requireRsa}
          disabled={isFixed}
          {...form.check('requireRsa')}
          error={form.problemAt('requireRsa')}
        />
        <Switch
          label={developers.requireIp}
          disabled={isFixed}
          {...form.check('requireIp')}
          error={form.problemAt('requireIp')}
        />
        <Textarea
          label={developers.ips}
          description={developers.ipsHint}
          autosize
          minRows={2}
          maxRows={10}
          disabled={isFixed}
          classNames={{ input: 'mono' }}
          {...form.field('ips')}
        />
        <Switch label={developers.signAnswers} disabled={isFixed} {...form.check('signAnswers')} />
      </FormFrame>
    </Section>
  )
}

function linesOf(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
