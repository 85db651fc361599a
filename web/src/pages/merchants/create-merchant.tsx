// The dialog that creates a merchant. The merchant is active at once or waits for approval. Its key and webhook secret
// are shown only once, and in live only to people who may see live keys.
import { Button, Checkbox, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Reply } from '../../api/send.ts'
import { useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { useForm } from '../../parts/use-form.ts'
import { developersWords } from '../../words/developers.ts'
import { merchantsWords } from '../../words/merchants.ts'
import { partsWords } from '../../words/parts.ts'
import { useWords } from '../../words/use-words.tsx'
import { ShownOnce } from '../developers/shown-once.tsx'

type Made = Reply<'POST /merchants'>

export function CreateMerchant() {
  const merchants = useWords(merchantsWords)
  const [, goTo] = useLocation()
  const [isOpen, setIsOpen] = useState(false)
  const [made, setMade] = useState<Made>()
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{merchants.create}</Button>
      {isOpen && <CreateDialog close={() => setIsOpen(false)} done={setMade} />}
      {made !== undefined && <Created made={made} close={() => goTo(`/merchants/${made.merNo}`)} />}
    </>
  )
}

function Created({ made, close }: { readonly made: Made; readonly close: () => void }) {
  const merchants = useWords(merchantsWords)
  const developers = useWords(developersWords)
  const parts = useWords(partsWords)
  if (made.key !== undefined) return <ShownOnce title={merchants.created} secret={made} close={close} />
  return (
    <Modal opened onClose={close} title={merchants.created} closeButtonProps={{ 'aria-label': parts.close }}>
      <Stack gap="md">
        <Text>{merchants.keysByOwner(made.merNo)}</Text>
        <Button onClick={close}>{developers.done}</Button>
      </Stack>
    </Modal>
  )
}

type Props = { readonly close: () => void; readonly done: (made: Made) => void }

function CreateDialog({ close, done }: Props) {
  const merchants = useWords(merchantsWords)
  const parts = useWords(partsWords)
  const create = useSend('POST /merchants')
  const empty = { name: '', site: '', pending: false, reason: '' }
  const form = useForm(empty, async ({ site, ...entered }) => {
    done(await create({ body: { ...entered, sites: site === '' ? [] : [site] } }))
    close()
  })
  const site = form.field('site')
  return (
    <Modal opened onClose={close} title={merchants.create} closeButtonProps={{ 'aria-label': parts.close }}>
      <FormFrame form={form} action={merchants.create} cancel={close}>
        <Stack gap="md">
          <TextInput label={merchants.name} required maxLength={100} data-autofocus {...form.field('name')} />
          <TextInput
            label={merchants.website}
            description={merchants.websiteHint}
            required
            {...site}
            error={site.error ?? form.problemAt('sites')}
          />
          <Checkbox
            label={merchants.pending}
            description={merchants.pendingHint}
            {...form.check('pending')}
          />
          <ReasonField {...form.field('reason')} />
        </Stack>
      </FormFrame>
    </Modal>
  )
}
