// The form of a new rule, or of a rule that is not in use.
import { Checkbox, Fieldset, Modal, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { useForm } from '../../parts/use-form.ts'
import { partsWords } from '../../words/parts.ts'
import { riskWords } from '../../words/risk.ts'
import { useWords } from '../../words/use-words.tsx'
import { conditionsOf, fieldsOf, type Rule } from './conditions.ts'
import { actionOf, actions, countedBy } from './names.ts'

type Props = {
  /** The rule. Undefined for a new rule. */
  readonly rule?: Rule
  readonly close: () => void
}

export function RuleForm({ rule, close }: Props) {
  const risk = useWords(riskWords)
  const parts = useWords(partsWords)
  const client = useQueryClient()
  const [, goTo] = useLocation()
  const create = useSend('POST /risk/rules')
  const change = useSend('PUT /risk/rules/:ruleId')
  const first = {
    name: rule?.name ?? '',
    action: rule?.action ?? 'refuse',
    merNo: '',
    reason: '',
    ...fieldsOf(rule?.conditions ?? {}),
  }
  const form = useForm<typeof first & { action: string }>(first, async (values) => {
    const { name, reason, merNo } = values
    const content = { name, action: actionOf(values.action) ?? 'refuse', conditions: conditionsOf(values) }
    if (rule !== undefined) {
      const { ruleId, version } = rule
      await change({ params: { ruleId }, body: { version, ...content, reason } })
    } else {
      const made = await create({ body: { merNo: merNo === '' ? 0 : Number(merNo), ...content, reason } })
      goTo(`/risk/rules/${made.ruleId}`)
    }
    close()
  })
  const reload = () => {
    close()
    void client.invalidateQueries()
  }
  const counts = [
    { value: '', label: risk.noVelocity },
    ...countedBy.map((value) => ({ value, label: risk.per[value] })),
  ]
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={rule === undefined ? risk.newRule : risk.edit}
      closeButtonProps={{ 'aria-label': parts.close }}
    >
      <FormFrame form={form} action={risk.saveRule} cancel={close} reload={reload}>
        <Stack gap="md">
          <TextInput
            label={risk.name}
            description={risk.nameHint}
            maxLength={100}
            required
            data-autofocus
            {...form.field('name')}
          />
          <NativeSelect
            label={risk.action}
            data={actions.map((value) => ({ value, label: risk.actions[value] }))}
            {...form.field('action')}
          />
          {rule === undefined && (
            <TextInput
              label={risk.scope}
              description={risk.scopeHint}
              inputMode="numeric"
              {...form.field('merNo')}
            />
          )}
          <Fieldset legend={`${risk.conditions}. ${risk.conditionsHint}`}>
            <Stack gap="md">
              <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
                <TextInput label={risk.above} inputMode="decimal" {...form.field('above')} />
                <TextInput label={risk.methods} {...form.field('methods')} />
                <TextInput label={risk.countries} {...form.field('countries')} />
                <TextInput label={risk.issuerCountries} {...form.field('issuerCountries')} />
                <TextInput label={risk.bins} {...form.field('bins')} />
                <TextInput label={risk.newCardDays} inputMode="numeric" {...form.field('newCardDays')} />
              </SimpleGrid>
              <Checkbox label={risk.countriesDiffer} {...form.check('countriesDiffer')} />
              <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
                <NativeSelect label={risk.velocity} data={counts} {...form.field('per')} />
                {form.values.per !== '' && (
                  <>
                    <TextInput label={risk.minutes} inputMode="numeric" {...form.field('minutes')} />
                    <TextInput
                      label={risk.mostPayments}
                      inputMode="numeric"
                      {...form.field('mostPayments')}
                    />
                    <TextInput label={risk.mostAmount} inputMode="decimal" {...form.field('mostAmount')} />
                  </>
                )}
              </SimpleGrid>
            </Stack>
          </Fieldset>
          <ReasonField {...form.field('reason')} />
        </Stack>
      </FormFrame>
    </Modal>
  )
}
