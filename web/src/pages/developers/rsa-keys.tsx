import { Button, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../api/use-call.ts'
import { CodeView } from '../../parts/code-view.tsx'
import { Facts } from '../../parts/facts.tsx'
import { FormFrame } from '../../parts/form-frame.tsx'
import { useForm } from '../../parts/use-form.ts'
import { useMay } from '../../shell/me.tsx'
import { developersWords } from '../../words/developers.ts'
import { partsWords } from '../../words/parts.ts'
import { useWords } from '../../words/use-words.tsx'
import { KeyUse, Section, type Settings } from './key-section.tsx'
import { useDeveloperWords } from './use-developer-words.ts'

export function RsaKeys({ of: { rsaFingerprint, rsaUsedAt, platform } }: { readonly of: Settings }) {
  const developers = useDeveloperWords()
  const may = useMay()
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Section title={developers.rsa} hint={developers.rsaHint}>
      <Facts
        of={[
          [
            developers.yourKey,
            <Stack key="yours" gap={0}>
              <Fingerprint text={rsaFingerprint ?? developers.noRsa} />
              {rsaFingerprint !== null && <KeyUse at={rsaUsedAt} />}
            </Stack>,
          ],
          [developers.platformKey, <Fingerprint key="ours" text={platform.fingerprint} />],
        ]}
      />
      <CodeView label={developers.platformKey} value={platform.pem} />
      {may('keys.secret') && (
        <Button className="at-start" variant="default" onClick={() => setIsAsking(true)}>
          {rsaFingerprint === null ? developers.uploadRsa : developers.replaceRsa}
        </Button>
      )}
      {isAsking && <UploadRsa isReplaced={rsaFingerprint !== null} close={() => setIsAsking(false)} />}
    </Section>
  )
}

function Fingerprint({ text }: { readonly text: string }) {
  return <span className="mono">{text}</span>
}

function UploadRsa({ isReplaced, close }: { readonly isReplaced: boolean; readonly close: () => void }) {
  const developers = useWords(developersWords)
  const parts = useWords(partsWords)
  const register = useSend('PUT /keys/rsa')
  const form = useForm({ pem: '' }, async (body) => {
    await register({ body })
    close()
  })
  const title = isReplaced ? developers.replaceRsa : developers.uploadRsa
  return (
    <Modal opened onClose={close} title={title} size="lg" closeButtonProps={{ 'aria-label': parts.close }}>
      <FormFrame form={form} action={title} cancel={close}>
        {isReplaced && <Text>{developers.rsaReplaceHint}</Text>}
        <Textarea
          label={developers.pem}
          description={developers.pemHint}
          autosize
          minRows={9}
          maxRows={16}
          spellCheck={false}
          classNames={{ input: 'mono' }}
          data-autofocus
          {...form.field('pem')}
        />
      </FormFrame>
    </Modal>
  )
}
