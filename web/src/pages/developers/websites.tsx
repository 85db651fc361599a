import { Button, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../api/use-call.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { FormFrame } from '../../parts/form-frame.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { StateLabel } from '../../parts/state-label.tsx'
import { useForm } from '../../parts/use-form.ts'
import { useMay } from '../../shell/me.tsx'
import { developersWords } from '../../words/developers.ts'
import { useWords } from '../../words/use-words.tsx'
import { Section, type Settings } from './key-section.tsx'

export function Websites({ of: { websites } }: { readonly of: Settings }) {
  const developers = useWords(developersWords)
  const mayEdit = useMay()('websites.edit')
  const remove = useSend('DELETE /websites')
  const [leaving, setLeaving] = useState<string>()
  return (
    <Section title={developers.websites} hint={developers.websitesHint}>
      {websites.length === 0 ? (
        <Text>{developers.noWebsites}</Text>
      ) : (
        <PlainTable label={developers.websites}>
          <tbody>
            {websites.map(({ site, isApproved }) => (
              <tr key={site}>
                <th scope="row">{site}</th>
                <td>
                  <StateLabel tone={isApproved ? 'done' : 'waiting'}>
                    {isApproved ? developers.approved : developers.waiting}
                  </StateLabel>
                </td>
                {mayEdit && (
                  <td className="at-end">
                    <Button variant="subtle" size="xs" onClick={() => setLeaving(site)}>
                      {developers.remove}
                    </Button>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
      {mayEdit && <AskForWebsite />}
      {leaving !== undefined && (
        <ConfirmDialog
          title={developers.removeTitle(leaving)}
          action={developers.remove}
          danger
          close={() => setLeaving(undefined)}
          run={() => remove({ query: { site: leaving } })}
        >
          <Text>{developers.removeHint}</Text>
        </ConfirmDialog>
      )}
    </Section>
  )
}

function AskForWebsite() {
  const developers = useWords(developersWords)
  const ask = useSend('POST /websites')
  const form = useForm({ site: '' }, async (body) => {
    await ask({ body })
    form.reset()
  })
  return (
    <FormFrame form={form} action={developers.ask}>
      <TextInput label={developers.website} description={developers.websiteExample} {...form.field('site')} />
    </FormFrame>
  )
}
