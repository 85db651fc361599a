// Chooses a channel and its statement, a file or a day to fetch, and starts the import.
import { Autocomplete, FileInput, Modal, Radio, Text, Textarea, TextInput } from '@mantine/core'
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
  const importFile = useSend('POST /reconciliation/imports')
  const fetchDay = useSend('POST /reconciliation/fetches')
  const [file, setFile] = useState<File | null>(null)
  const given = { channel: '', source: 'file', content: '', day: '', reason: '' }
  const form = useForm(given, async ({ channel, source, day, reason }) => {
    const note = reason.trim() === '' ? {} : { reason }
    if (source === 'day') await fetchDay({ body: { channel, day, ...note } })
    else {
      const content = (await file?.text()) ?? ''
      await importFile({ body: { channel, fileName: file?.name ?? '-', content, ...note } })
    }
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
        <Radio.Group label={reconciliation.source} {...form.field('source')}>
          <Radio value="file" label={reconciliation.fromFile} mt="xs" />
          <Radio value="day" label={reconciliation.fromChannel} mt="xs" />
        </Radio.Group>
        {form.values.source === 'day' ? (
          <TextInput type="date" label={reconciliation.day} required {...form.field('day')} />
        ) : (
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
        )}
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
