// Books a correcting entry between two accounts of a merchant or of the platform, or sends it to a second person for
// approval. Existing entries are never changed.
import { Autocomplete, Button, Modal, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Reply } from '../../api/send.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { useForm } from '../../parts/use-form.ts'
import { useMay } from '../../shell/me.tsx'
import { booksWords } from '../../words/books.ts'
import { decideWords } from '../../words/decide.ts'
import { partsWords } from '../../words/parts.ts'
import { useWords } from '../../words/use-words.tsx'

export function CorrectButton({ merNo }: { readonly merNo: string }) {
  const books = useWords(booksWords)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        {books.correct}
      </Button>
      {isOpen && <CorrectDialog merNo={merNo} close={() => setIsOpen(false)} />}
    </>
  )
}

/**
 * The accounts that may be corrected, in addition to `rail:…`. All other accounts are sums of orders, refunds, payouts
 * or suspense.
 */
const accounts = ['merchant:available', 'platform:fees', 'platform:exchange']

type Booked = Reply<'POST /corrections'>

function CorrectDialog({ merNo, close }: { readonly merNo: string; readonly close: () => void }) {
  const books = useWords(booksWords)
  const parts = useWords(partsWords)
  const may = useMay()
  const channels = useCall('GET /channels', {}, { enabled: may('channels.read') })
  const send = useSend('POST /corrections')
  const [booked, setBooked] = useState<Booked>()
  const initial = { merNo, from: '', to: '', amount: '', currency: 'USD', reason: '' }
  const form = useForm(initial, async (values) => {
    setBooked(await send({ body: { ...values, merNo: values.merNo.trim() } }))
  })
  const rails = channels.data?.channels.map(({ name }) => `rail:${name}`) ?? []
  const choices = [...accounts, ...rails]
  return (
    <Modal opened onClose={close} title={books.correct} closeButtonProps={{ 'aria-label': parts.close }}>
      {booked === undefined ? (
        <FormFrame form={form} action={books.correctNow} cancel={close}>
          <Text c="dimmed" size="sm">
            {books.correctHint}
          </Text>
          <TextInput
            label={books.merchant}
            description={books.platformHint}
            inputMode="numeric"
            required
            {...form.field('merNo')}
          />
          <Autocomplete label={books.from} data={choices} required {...form.field('from')} />
          <Autocomplete label={books.to} data={choices} required {...form.field('to')} />
          <SimpleGrid cols={2} spacing="sm">
            <TextInput label={books.amount} inputMode="decimal" required {...form.field('amount')} />
            <TextInput label={books.currency} required {...form.field('currency')} />
          </SimpleGrid>
          <ReasonField {...form.field('reason')} />
        </FormFrame>
      ) : (
        <Result of={booked} close={close} />
      )}
    </Modal>
  )
}

function Result({ of, close }: { readonly of: Booked; readonly close: () => void }) {
  const books = useWords(booksWords)
  const decide = useWords(decideWords)
  const parts = useWords(partsWords)
  const isWaiting = of.approvalId !== undefined
  return (
    <>
      <Text role="status" mb="md">
        {isWaiting ? books.correctWaits : books.corrected(of.correctionId)}
      </Text>
      {isWaiting ? (
        <Button component={Link} href="/queues/approvals">
          {decide.approvals}
        </Button>
      ) : (
        <Button onClick={close}>{parts.close}</Button>
      )}
    </>
  )
}
