// The form for a new dry run. The person enters order numbers, one per line, or a CSV of numbers and amounts.
import { Modal, Textarea, TextInput } from '@mantine/core'
import { useLocation } from 'wouter'
import { Refusal } from '../../api/refusal.ts'
import { useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { useForm } from '../../parts/use-form.ts'
import { bulkRefundsWords } from '../../words/bulk-refunds.ts'
import { partsWords } from '../../words/parts.ts'
import { useWords } from '../../words/use-words.tsx'
import type { ChosenMerchant } from '../developers/chosen-merchant.tsx'

type Props = {
  readonly path: string
  readonly chosen: ChosenMerchant
  /** The order numbers with which the form opens. */
  readonly numbers?: string
  readonly close: () => void
}

export function NewBulk({ path, chosen, numbers = '', close }: Props) {
  const words = useWords(bulkRefundsWords)
  const parts = useWords(partsWords)
  const [, goTo] = useLocation()
  const check = useSend('POST /bulk-refunds')
  const form = useForm({ rows: numbers, reason: '' }, async ({ rows: typed, reason }) => {
    const rows = rowsOf(typed)
    if (rows.length === 0) throw new Refusal('invalid', words.noLines, { rows: words.noLines })
    const { bulkId } = await check({ body: { ...chosen, reason, rows } })
    close()
    goTo(`${path}/${bulkId}${chosen.merNo === undefined ? '' : `?merNo=${chosen.merNo}`}`)
  })
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={words.createTitle}
      closeButtonProps={{ 'aria-label': parts.close }}
    >
      <FormFrame form={form} action={words.check} cancel={close}>
        <Textarea
          label={words.numbers}
          description={words.numbersHint}
          autosize
          minRows={6}
          maxRows={14}
          required
          data-autofocus
          {...form.field('rows')}
        />
        <TextInput label={words.reason} maxLength={255} required {...form.field('reason')} />
      </FormFrame>
    </Modal>
  )
}

/** Each line is an order number, optionally followed by a comma, semicolon or tab and an amount. */
function rowsOf(text: string): { number: string; amount?: string }[] {
  const lines = text.split(/\r?\n/).map((line) => line.split(/[,;\t]/).map((cell) => cell.trim()))
  return lines
    .filter(([number = '']) => number !== '')
    .map(([number = '', amount = '']) => (amount === '' ? { number } : { number, amount }))
}
