import { Button, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { call } from '../../api/call.ts'
import type { Reply } from '../../api/send.ts'
import { useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import { useForm } from '../../parts/use-form.ts'
import { type ChosenMerchant, usePath, WithMerchant } from './chosen-merchant.tsx'
import { endpoints } from './endpoints.ts'
import { Explanation } from './explanation.tsx'
import { useDeveloperWords } from './use-developer-words.ts'

type Explained = Reply<'POST /signature/explain'>

export function SignaturePage() {
  const developers = useDeveloperWords()
  const { requestId } = useFilters(['requestId']).values
  return (
    <PageFrame title={developers.debugger} hint={developers.debuggerHint}>
      <WithMerchant>
        {(chosen) => <Debugger key={requestId ?? ''} requestId={requestId} chosen={chosen} />}
      </WithMerchant>
    </PageFrame>
  )
}

type Props = { readonly requestId: string | undefined; readonly chosen: ChosenMerchant }

function Debugger({ requestId, chosen }: Props) {
  const developers = useDeveloperWords()
  const explain = useSend('POST /signature/explain')
  const [explained, setExplained] = useState<Explained>()
  const logged = useQuery({
    queryKey: ['POST /signature/explain', requestId, chosen],
    queryFn: () => call('POST /signature/explain', { query: chosen, body: { requestId: requestId ?? '' } }),
    enabled: requestId !== undefined,
  })
  const shown = explained ?? logged.data
  const form = useForm(
    { endpoint: endpoints[0] ?? '', body: '', sign: '', signed: '' },
    async ({ endpoint, body, sign, signed }) => {
      const asked = requestId === undefined ? { endpoint, body } : { requestId }
      const more = { ...(sign !== '' && { sign }), ...(signed !== '' && { signed }) }
      setExplained(await explain({ query: chosen, body: { ...asked, ...more } }))
    },
  )
  return (
    <div className="debugger">
      <FormFrame form={form} action={developers.explainIt}>
        {requestId === undefined ? (
          <>
            <NativeSelect label={developers.endpoint} data={[...endpoints]} {...form.field('endpoint')} />
            <Textarea
              label={developers.pasteBody}
              description={developers.pasteBodyHint}
              autosize
              minRows={8}
              maxRows={24}
              spellCheck={false}
              classNames={{ input: 'mono' }}
              {...form.field('body')}
            />
            <TextInput label={developers.sign} description={developers.signHint} {...form.field('sign')} />
          </>
        ) : (
          <>
            <OfRequest requestId={requestId} />
            {logged.data?.verdict === 'missing' && (
              <TextInput
                label={developers.sign}
                description={developers.signNotStored}
                {...form.field('sign')}
              />
            )}
          </>
        )}
        <Textarea
          label={developers.signed}
          description={developers.signedHint}
          autosize
          minRows={2}
          maxRows={8}
          spellCheck={false}
          classNames={{ input: 'mono' }}
          {...form.field('signed')}
        />
      </FormFrame>
      {shown !== undefined && <Explanation of={shown} />}
    </div>
  )
}

function OfRequest({ requestId }: { readonly requestId: string }) {
  const developers = useDeveloperWords()
  const path = usePath('signature')
  const [, goTo] = useLocation()
  return (
    <Stack gap={4} align="flex-start">
      <Text>{developers.ofRequest}</Text>
      <Text className="mono" size="sm">
        {requestId}
      </Text>
      <Group>
        <Button variant="default" size="xs" onClick={() => goTo(path)}>
          {developers.pasteInstead}
        </Button>
      </Group>
    </Stack>
  )
}
