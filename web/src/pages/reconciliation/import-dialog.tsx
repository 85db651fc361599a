// The dialog that imports a statement. The person chooses a channel, and either a file or a day to fetch.
import { Autocomplete, FileInput, Modal, Radio, Select, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useCall, useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { formatMoment } from '../../parts/moment.tsx'
import { useForm } from '../../parts/use-form.ts'
import { useMay } from '../../shell/me.tsx'
import { partsWords } from '../../words/parts.ts'
import { reconciliationWords } from '../../words/reconciliation.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import { daysOf } from './days-of.ts'

export function ImportDialog({ close }: { readonly close: () => void }) {
  const reconciliation = useWords(reconciliationWords)
  const parts = useWords(partsWords)
  const { locale } = useLanguage()
  const may = useMay()
  const channels = useCall('GET /channels', {}, { enabled: may('channels.read') })
  const importFile = useSend('POST /reconciliation/imports')
  const fetchDay = useSend('POST /reconciliation/fetches')
  const [file, setFile] = useState<File | null>(null)
  const given = { channel: '', source: 'file', content: '', day: '', replaces: '', reason: '' }
  const form = useForm(given, async ({ channel, source, day, replaces, reason }) => {
    const more = { ...(replaces !== '' && { replaces }), ...(reason.trim() !== '' && { reason }) }
    if (source === 'day') await fetchDay({ body: { channel, day, ...more } })
    else {
      const content = (await file?.text()) ?? ''
      await importFile({ body: { channel, fileName: file?.name ?? '-', content, ...more } })
    }
    close()
  })
  const { channel } = form.values
  const statements = useCall(
    'GET /reconciliation/statements',
    { query: { channel } },
    { enabled: channel !== '' },
  )
  const channelField = form.field('channel')
  const chooseChannel = (chosen: string) => {
    channelField.onChange(chosen)
    form.set('replaces', '')
  }
  const choose = (chosen: File | null) => {
    setFile(chosen)
    // This change also removes the problem at the field, because the problem was about the previous file.
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
          {...channelField}
          onChange={chooseChannel}
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
        <Select
          label={reconciliation.replaces}
          description={reconciliation.replacesHint}
          placeholder={reconciliation.replacesNone}
          data={(statements.data?.rows ?? [])
            .filter((one) => one.channel === channel)
            .map((one) => ({
              value: one.statementId,
              label: [
                one.fileName,
                daysOf(one, locale) ?? reconciliation.noDays,
                formatMoment(one.importedAt, locale),
              ].join(' · '),
            }))}
          clearable
          {...form.field('replaces')}
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
