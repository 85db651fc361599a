import { Textarea, TextInput } from '@mantine/core'
import { useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { useForm } from '../../parts/use-form.ts'
import { examWords } from '../../words/exam.ts'
import { useWords } from '../../words/use-words.tsx'
import type { ChosenMerchant } from './chosen-merchant.tsx'

type Props = { readonly chosen: ChosenMerchant; readonly isRunning: boolean }

export function ExamForm({ chosen: { merNo }, isRunning }: Props) {
  const exam = useWords(examWords)
  const start = useSend('POST /exams')
  const startFor = useSend('POST /merchants/:merNo/exams')
  const form = useForm({ notifyUrl: '', stateUrl: '', orderNos: '' }, async (values) => {
    const orderNos = values.orderNos.split(/\s+/).filter((number) => number !== '')
    const body = {
      notifyUrl: values.notifyUrl,
      ...(values.stateUrl.trim() !== '' && { stateUrl: values.stateUrl }),
      ...(orderNos.length > 0 && { orderNos }),
    }
    await (merNo === undefined ? start({ body }) : startFor({ params: { merNo }, body }))
  })
  return (
    <div className="key-sections">
      <FormFrame form={form} action={exam.start} disabled={isRunning}>
        <TextInput
          type="url"
          label={exam.notifyUrl}
          description={exam.notifyUrlHint}
          {...form.field('notifyUrl')}
        />
        <TextInput
          type="url"
          label={exam.stateUrl}
          description={exam.stateUrlHint}
          {...form.field('stateUrl')}
        />
        <Textarea
          label={exam.orderNos}
          description={exam.orderNosHint}
          autosize
          minRows={1}
          maxRows={8}
          {...form.field('orderNos')}
        />
      </FormFrame>
    </div>
  )
}
