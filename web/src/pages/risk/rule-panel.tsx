import { Button, Group, Stack, Title } from '@mantine/core'
import { useState } from 'react'
import type { Reply } from '../../api/send.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { DecideButton } from '../../parts/decide-button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { StateLabel } from '../../parts/state-label.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useMay } from '../../shell/me.tsx'
import { riskWords } from '../../words/risk.ts'
import { useWords } from '../../words/use-words.tsx'
import { inWords, type Rule } from './conditions.ts'
import { RuleForm } from './rule-form.tsx'
import { TrialPart } from './trial-part.tsx'

const REFRESH_MS = 2_000

type Whole = Reply<'GET /risk/rules/:ruleId'>

export function RulePanel({ ruleId, back }: { readonly ruleId: string; readonly back: string }) {
  const risk = useWords(riskWords)
  const may = useMay()
  const found = useCall('GET /risk/rules/:ruleId', { params: { ruleId } }, { refetchInterval: REFRESH_MS })
  return (
    <SidePanel title={risk.ruleTitle} back={back} wide>
      <Loaded query={found} lines={10}>
        {(whole: Whole) => (
          <Stack gap="lg">
            <Title order={2} size="h4">
              {whole.rule.name}
            </Title>
            {may('risk.edit') && <RuleButtons rule={whole.rule} />}
            <RuleFacts rule={whole.rule} />
            <TrialPart whole={whole} />
          </Stack>
        )}
      </Loaded>
    </SidePanel>
  )
}

function RuleFacts({ rule }: { readonly rule: Rule }) {
  const risk = useWords(riskWords)
  return (
    <Facts
      of={[
        [risk.state, <RuleState key="state" rule={rule} />],
        [risk.action, risk.actions[rule.action]],
        [
          risk.conditions,
          <Stack key="conditions" gap={0}>
            {inWords(rule.conditions, risk).map((text) => (
              <span key={text}>{text}</span>
            ))}
          </Stack>,
        ],
        [risk.merchant, rule.merNo === 0 ? risk.everyMerchant : rule.merNo],
        [risk.hitsIn30, rule.hits],
        [
          risk.changedBy,
          <span key="changed">
            <Moment at={rule.changedAt} /> · {rule.changedBy}
          </span>,
        ],
      ]}
    />
  )
}

type State = Rule['state']

const next: Readonly<Record<State, readonly State[]>> = {
  draft: ['on', 'watching'],
  watching: ['on', 'off'],
  on: ['off', 'watching'],
  off: ['on', 'watching'],
}

function RuleButtons({ rule }: { readonly rule: Rule }) {
  const risk = useWords(riskWords)
  // The rule when the form was opened. The form must keep the version of that time, even if a newer version is loaded.
  const [edited, setEdited] = useState<Rule>()
  const send = useSend('POST /risk/rules/:ruleId/state')
  const { ruleId, version, state } = rule
  const isInUse = state === 'on' || state === 'watching'
  return (
    <Group gap="sm">
      {next[state].map((one) => (
        <DecideButton
          key={one}
          label={risk.switchTo[one]}
          title={risk.switchTitle[one]}
          size="sm"
          variant={one === 'on' ? 'filled' : 'default'}
          disabled={one === 'on' && rule.triedAt === null}
          run={(reason) => send({ params: { ruleId }, body: { version, seen: state, state: one, reason } })}
        />
      ))}
      {!isInUse && (
        <Button variant="default" onClick={() => setEdited(rule)}>
          {risk.edit}
        </Button>
      )}
      {edited !== undefined && <RuleForm rule={edited} close={() => setEdited(undefined)} />}
    </Group>
  )
}

const tones = { draft: 'neutral', watching: 'waiting', on: 'done', off: 'neutral' } as const

export function RuleState({ rule: { state } }: { readonly rule: Pick<Rule, 'state'> }) {
  const risk = useWords(riskWords)
  return <StateLabel tone={tones[state]}>{risk.states[state]}</StateLabel>
}
