// Chooses a channel and its statement, and starts the import.
import { Autocomplete, FileInput, Modal, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useCall, useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { useForm } from '../../parts/use-form.ts'
import { useMay } from '../../shell/me.tsx'
import { useWords } from '../../words/use-words.tsx'

export function ImportDialog({ close }: { readonly close: () => void }) {
  const { reconciliation, parts } = useWords()
  const may = useMay()
  const channels = useCall('GET /channels', {}, { enabled: may('channels.read') })
  const send = useSend('POST /reconciliation/imports')
  const [file, setFile] = useState<File | null>(null)
  const form = useForm({ channel: '', content: '', reason: '' }, async ({ channel, reason }) => {
    const content = (await file?.text()) ?? ''
    const note = reason.trim() === '' ? {} : { reason }
    await send({ body: { channel, fileName: file?.name ?? '-', content, ...note } })
    close()
  })
  const choose = (chosen: File | null) => {
    setFile(chosen)
    // The problem at the field was about the file before.
    form.set('content', chosen?.name ?? '')
  }
  return (
    <Modal
      opened
      onClose={close}
      title={reconciliation.import}
      closeButtonProps={{ 'aria-label': parts.close }}
    >
      <FormFrame form={form} action={reconciliation.importNow} cancel={close}>
        <Text c="dimmed" size="sm">
          {reconciliation.importHint}
        </Text>
        <Autocomplete
          label={reconciliation.channel}
          data={channels.data?.channels.map(({ name }) => name) ?? []}
          required
          {...form.field('channel')}
        />
        <FileInput
          label={reconciliation.csvFile}
          placeholder={parts.chooseFile}
          description={reconciliation.csvHint}
          accept=".csv,text/csv"
          required
          value={file}
          error={form.problemAt('content')}
          onChange={choose}
        />
        <Textarea
          label={reconciliation.note}
          maxLength={500}
          autosize
          minRows={2}
          {...form.field('reason')}
        />
      </FormFrame>
    </Modal>
  )
}
