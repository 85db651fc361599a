// The field for the logo of a merchant's payment pages: another file, or none. The form keeps the value.
import { Checkbox, FileInput, Stack } from '@mantine/core'
import { readBase64 } from '../../parts/read-base64.ts'
import type { Form } from '../../parts/use-form.ts'
import { merchantsWords } from '../../words/merchants.ts'
import { partsWords } from '../../words/parts.ts'
import { useWords } from '../../words/use-words.tsx'
import type { Entered } from './edit-with-preview.tsx'

const NONE = 'none'

type Props = {
  readonly form: Form<Entered>
  readonly file: File | null
  readonly setFile: (file: File | null) => void
  readonly hasLogo: boolean
}

export function LogoField({ form, file, setFile, hasLogo }: Props) {
  const merchants = useWords(merchantsWords)
  const parts = useWords(partsWords)
  const isRemoved = form.values.logo === NONE
  const choose = async (chosen: File | null) => {
    setFile(chosen)
    form.set('logo', chosen === null ? '' : await readBase64(chosen))
  }
  return (
    <Stack gap="xs">
      <FileInput
        label={merchants.fields.logo}
        description={merchants.logoHint}
        placeholder={parts.chooseFile}
        accept="image/png,image/jpeg"
        clearable
        disabled={isRemoved}
        value={file}
        onChange={(chosen) => void choose(chosen)}
        error={form.problemAt('logo')}
      />
      {hasLogo && (
        <Checkbox
          label={merchants.removeLogo}
          checked={isRemoved}
          onChange={({ currentTarget: { checked } }) => {
            setFile(null)
            form.set('logo', checked ? NONE : '')
          }}
        />
      )}
    </Stack>
  )
}
