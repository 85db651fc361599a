import { Switch, Textarea } from '@mantine/core'
import { useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { useForm } from '../../parts/use-form.ts'
import { useMay } from '../../shell/me.tsx'
import { useWords } from '../../words/use-words.tsx'
import { Section, type Settings } from './keys-page.tsx'

type Props = { readonly of: Settings; readonly reload: () => void }

export function SigningSettings({ of, reload }: Props) {
  const { developers } = useWords()
  const isFixed = !useMay()('keys.edit')
  const save = useSend('PUT /developers/signing')
  const { requireRsa, requireIp, signAnswers, version } = of
  const form = useForm(
    { requireRsa, requireIp, signAnswers, ips: of.ips.join('\n') },
    ({ ips, ...switches }) => save({ body: { version, ...switches, ips: linesOf(ips) } }),
  )
  return (
    <Section title={developers.signing}>
      <FormFrame form={form} action={developers.save} disabled={isFixed} reload={reload}>
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
