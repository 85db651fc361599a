// The button and the form that start an export of any list, filtered by state and days, and for orders also by method
// and currency.
import { Button, Modal, SimpleGrid, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { useForm } from '../../parts/use-form.ts'
import { exportsWords } from '../../words/exports.ts'
import { partsWords } from '../../words/parts.ts'
import { useWords } from '../../words/use-words.tsx'
import type { ChosenMerchant } from '../developers/chosen-merchant.tsx'
import { everything, ListFields, wantedOf } from './list-fields.tsx'

export function NewExport({ chosen }: { readonly chosen: ChosenMerchant }) {
  const words = useWords(exportsWords)
  const parts = useWords(partsWords)
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{words.newExport}</Button>
      {isOpen && (
        <Modal
          opened
          onClose={close}
          title={words.newExport}
          closeButtonProps={{ 'aria-label': parts.close }}
        >
          <ExportForm chosen={chosen} close={close} />
        </Modal>
      )}
    </>
  )
}

function ExportForm({ chosen, close }: { readonly chosen: ChosenMerchant; readonly close: () => void }) {
  const words = useWords(exportsWords)
  const start = useSend('POST /exports')
  const form = useForm({ ...everything, from: '', to: '' }, async (typed) => {
    const { filter, ...wanted } = wantedOf(typed)
    await start({ body: { ...wanted, filter: { ...filter, ...chosen } } })
    close()
  })
  return (
    <FormFrame form={form} action={words.startAction} cancel={close}>
      <ListFields chosen={chosen} values={form.values} problemAt={form.problemAt} set={form.set} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <TextInput type="date" label={words.from} {...form.field('from')} />
        <TextInput type="date" label={words.toDay} {...form.field('to')} />
      </SimpleGrid>
    </FormFrame>
  )
}
