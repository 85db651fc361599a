// The setting that requires everybody in the company to have a second factor.
import { Switch, Text } from '@mantine/core'
import { useCall, useSend } from '../../api/use-call.ts'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useAction } from '../../parts/use-action.ts'
import { isOperator, useMay, useMe } from '../../shell/me.tsx'
import { teamWords } from '../../words/team.ts'
import { useWords } from '../../words/use-words.tsx'

export function SignInRules() {
  const team = useWords(teamWords)
  const me = useMe()
  const may = useMay()
  const rules = useCall('GET /sign-in-rules', {})
  const send = useSend('PUT /sign-in-rules')
  const saving = useAction()
  // The setting is hidden from operators, because they always need a second factor.
  if (isOperator(me)) return null
  return (
    <Section title={team.rules}>
      <Loaded query={rules} lines={2}>
        {({ factorRequired, version }) => (
          <Switch
            label={team.factorRequired}
            description={team.factorRequiredHint}
            checked={factorRequired}
            disabled={!may('users.edit') || saving.isRunning}
            onChange={({ currentTarget: { checked } }) =>
              saving.run(() => send({ body: { factorRequired: checked, version } }))
            }
          />
        )}
      </Loaded>
      {saving.problem !== undefined && (
        <Text role="alert" c="var(--error)">
          {saving.problem}
        </Text>
      )}
    </Section>
  )
}
