import { lazy, Suspense } from 'react';
import { AuthFrame } from './AuthFrame';

const CodeForm = lazy(() => import('./CodeForm'));

interface SecondFactorStepProps {
  /** The error of the sign-in that requires a code. */
  challenge: unknown;
  onCancel: () => void;
}

/** Replaces the page of a sign-in that requires a code of an authenticator app. */
export const SecondFactorStep = ({ challenge, onCancel }: SecondFactorStepProps) => (
  <AuthFrame>
    <h1>Enter your code</h1>
    <Suspense>
      <CodeForm challenge={challenge} onCancel={onCancel} />
    </Suspense>
  </AuthFrame>
);
