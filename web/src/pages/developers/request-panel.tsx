import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Reply } from '../../api/send.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { CodeView } from '../../parts/code-view.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { StateLabel } from '../../parts/state-label.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useMay } from '../../shell/me.tsx'
import { developersWords } from '../../words/developers.ts'
import { fieldTextWords } from '../../words/field-text.ts'
import { useWords } from '../../words/use-words.tsx'
import { type ChosenMerchant, usePath } from './chosen-merchant.tsx'
import { useDeveloperWords } from './use-developer-words.ts'

type Props = { readonly requestId: string; readonly chosen: ChosenMerchant; readonly back: string }
type Whole = Reply<'GET /requests/:requestId'>

export function RequestPanel({ requestId, chosen, back }: Props) {
  const developers = useWords(developersWords)
  const fieldText = useWords(fieldTextWords)
  const request = useCall('GET /requests/:requestId', { params: { requestId }, query: chosen })
  return (
    <SidePanel title={developers.request} back={back} wide>
      <Loaded query={request} lines={12}>
        {(whole) => (
          <Stack gap="lg">
            {whole.reason !== null && (
              <Alert
                color="red"
                title={whole.code === '00000' ? developers.declined : developers.refusedBy(whole.code)}
              >
                {fieldText(whole.reason)}
              </Alert>
            )}
            <NextSteps request={whole} chosen={chosen} back={back} />
            <RequestFacts request={whole} />
            {whole.body === '' ? (
              <Text c="dimmed">{developers.noBody}</Text>
            ) : (
              <CodeView label={developers.body} value={pretty(whole.body)} />
            )}
            <CodeView label={developers.answer} value={pretty(whole.answer)} />
            {whole.body !== '' && (
              <Stack gap="xs">
                <CodeView label={developers.curl} value={whole.curl} />
                {whole.sdk !== null && <CodeView label={developers.sdk} value={whole.sdk} />}
                <Text size="sm" c="dimmed">
                  {developers.curlHint}
                </Text>
              </Stack>
            )}
          </Stack>
        )}
      </Loaded>
    </SidePanel>
  )
}

function RequestFacts({ request }: { readonly request: Whole }) {
  const developers = useDeveloperWords()
  const { at, endpoint, merOrderNo, tradeNo, status, durationMs, address, agent, paymentType, referer } =
    request
  return (
    <Facts
      of={[
        [developers.at, <Moment key="at" at={at} show="seconds" />],
        [developers.result, <RequestResult key="result" row={request} />],
        [
          developers.endpoint,
          <span key="endpoint" className="mono">
            {endpoint}
          </span>,
        ],
        [developers.paymentType, paymentType],
        [developers.order, merOrderNo],
        [developers.trade, tradeNo],
        [developers.status, status],
        [developers.duration, developers.ms(durationMs)],
        [developers.address, address],
        [developers.referer, referer],
        [developers.agent, agent],
        [
          developers.requestId,
          <span key="id" className="mono">
            {request.requestId}
          </span>,
        ],
      ]}
    />
  )
}

function NextSteps({ request, chosen, back }: { readonly request: Whole } & Omit<Props, 'requestId'>) {
  const developers = useDeveloperWords()
  const may = useMay()
  const signature = usePath('signature')
  const [isAsking, setIsAsking] = useState(false)
  const [again, setAgain] = useState<Reply<'POST /requests/:requestId/again'>>()
  const run = useSend('POST /requests/:requestId/again')
  const canRun = request.runnable && may('keys.edit')
  const isSignature = request.code === '10015'
  const isRefused = request.code !== '00000' && request.body !== ''
  if (!canRun && !isRefused) return null
  const ofMerchant = chosen.merNo === undefined ? '' : `&merNo=${chosen.merNo}`
  return (
    <Stack gap="sm">
      <Group gap="sm">
        {isRefused && (
          <Button
            component={Link}
            href={`${signature}?requestId=${request.requestId}${ofMerchant}`}
            variant={isSignature ? 'filled' : 'default'}
          >
            {isSignature ? developers.explain : developers.checkSignature}
          </Button>
        )}
        {canRun && (
          <Button variant="default" onClick={() => setIsAsking(true)}>
            {developers.runAgain}
          </Button>
        )}
      </Group>
      {again !== undefined && (
        <>
          <CodeView label={developers.ranAgain} value={pretty(again.answer)} />
          <Link href={`${back}/${again.requestId}`}>{developers.openNew}</Link>
        </>
      )}
      {isAsking && (
        <ConfirmDialog
          title={developers.runAgain}
          action={developers.runAgain}
          close={() => setIsAsking(false)}
          run={async () => setAgain(await run({ params: { requestId: request.requestId } }))}
        >
          <Text>{developers.runAgainHint}</Text>
        </ConfirmDialog>
      )}
    </Stack>
  )
}

/** Formats JSON. A text that was cut or is not JSON stays unchanged. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

export function RequestResult({ row: { code } }: { readonly row: Pick<Whole, 'code'> }) {
  const developers = useWords(developersWords)
  return code === '00000' ? (
    <StateLabel tone="done">{developers.accepted}</StateLabel>
  ) : (
    <StateLabel tone="error">{developers.refusedBy(code)}</StateLabel>
  )
}
