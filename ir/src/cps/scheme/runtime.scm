;; What the operations of the dialect `basic` do, for Guile 3.
;; Numbers are 64 bits wide with sign and wrap around; `ssa:undef` is what is
;; undefined. Every function takes `ret` as its last argument and never returns.

(use-modules (ice-9 vlist) (srfi srfi-9))

(define ssa:undef 'undef)
(define (ssa:known? x) (number? x))

;; Replaced by who wants to see more than what is printed.
(define (ssa:on-print xs) (display (ssa:join xs)) (newline))
(define (ssa:on-read x) #t)
(define (ssa:on-call name xs) #t)
(define (ssa:on-return xs) (for-each (lambda (x) (display (ssa:shown x)) (newline)) xs) (exit 0))
(define (ssa:on-trap message)
  (display "trap: " (current-error-port))
  (display message (current-error-port))
  (newline (current-error-port))
  (exit 1))
(define (ssa:next-input) (read))
(define ssa:seed 0)
(define ssa:num-calls 0)

(define (ssa:join xs)
  (let ((out (open-output-string)))
    (let loop ((xs xs) (separator ""))
      (if (pair? xs)
          (begin
            (display separator out)
            (display (ssa:shown (car xs)) out)
            (loop (cdr xs) ", "))))
    (get-output-string out)))

(define (ssa:trap message) (ssa:on-trap message))

;; Arithmetic.

(define i64:size (expt 2 64))
(define i64:half (expt 2 63))
(define (i64:wrap n)
  (if (and (>= n (- i64:half)) (< n i64:half))
      n
      (let ((rest (modulo n i64:size)))
        (if (>= rest i64:half) (- rest i64:size) rest))))
(define (i64:truth condition) (if condition 1 0))

(define (ssa:unary f)
  (lambda (x) (if (ssa:known? x) (f x) ssa:undef)))
(define (ssa:binary f)
  (lambda (x y) (if (and (ssa:known? x) (ssa:known? y)) (f x y) ssa:undef)))
(define (ssa:division f)
  (lambda (x y)
    (cond ((not (ssa:known? y)) (ssa:trap "depends on an undefined value"))
          ((= y 0) (ssa:trap "division by zero"))
          ((not (ssa:known? x)) ssa:undef)
          (else (i64:wrap (f x y))))))

(define i64:neg (ssa:unary (lambda (x) (i64:wrap (- x)))))
(define i64:not (ssa:unary lognot))
(define i64:lnot (ssa:unary (lambda (x) (i64:truth (= x 0)))))
(define i64:add (ssa:binary (lambda (x y) (i64:wrap (+ x y)))))
(define i64:sub (ssa:binary (lambda (x y) (i64:wrap (- x y)))))
(define i64:mul (ssa:binary (lambda (x y) (i64:wrap (* x y)))))
(define i64:div (ssa:division quotient))
(define i64:rem (ssa:division remainder))
(define i64:and (ssa:binary logand))
(define i64:or (ssa:binary logior))
(define i64:xor (ssa:binary logxor))
(define i64:shl (ssa:binary (lambda (x y) (i64:wrap (ash x (modulo y 64))))))
(define i64:shr (ssa:binary (lambda (x y) (ash x (- (modulo y 64))))))
(define i64:eq (ssa:binary (lambda (x y) (i64:truth (= x y)))))
(define i64:ne (ssa:binary (lambda (x y) (i64:truth (not (= x y))))))
(define i64:lt (ssa:binary (lambda (x y) (i64:truth (< x y)))))
(define i64:le (ssa:binary (lambda (x y) (i64:truth (<= x y)))))
(define i64:gt (ssa:binary (lambda (x y) (i64:truth (> x y)))))
(define i64:ge (ssa:binary (lambda (x y) (i64:truth (>= x y)))))
(define i64:land (ssa:binary (lambda (x y) (i64:truth (not (or (= x 0) (= y 0)))))))
(define i64:lor (ssa:binary (lambda (x y) (i64:truth (not (and (= x 0) (= y 0)))))))

;; Arrays: values that are never changed. One is what it was made of, its base, and the elements that have been stored since; the base is
;; undefined, or the number that an opaque call has returned for an array. An array without changed elements is its base.

(define-record-type <ssa:array>
  (ssa:make-array base elements num-changed)
  ssa:array?
  (base ssa:array-base)
  (elements ssa:array-elements)
  (num-changed ssa:array-num-changed))

(define (ssa:mixed-or x mixed) (if (ssa:known? x) (u64:mix (modulo x i64:size)) mixed))

;; What a base holds at an index.
(define (ssa:initial base index)
  (if (ssa:known? base)
      (remainder (ash (u64:mix (logxor (modulo base i64:size) (u64:mix (modulo index i64:size)))) -8) 32)
      ssa:undef))

(define (ssa:base-of array) (if (ssa:array? array) (ssa:array-base array) array))

(define (ssa:access array index)
  (if (ssa:known? index)
      (let ((stored (and (ssa:array? array) (vhash-assv index (ssa:array-elements array)))))
        (if stored (cdr stored) (ssa:initial (ssa:base-of array) index)))
      ssa:undef))

(define (ssa:update array index x)
  (if (ssa:known? index)
      (let* ((base (ssa:base-of array))
             (initial (ssa:initial base index))
             (before (ssa:access array index))
             (changed (lambda (element) (if (eqv? element initial) 0 1)))
             (num-changed (+ (if (ssa:array? array) (ssa:array-num-changed array) 0)
                             (- (changed x) (changed before))))
             (elements (if (ssa:array? array) (ssa:array-elements array) vlist-null)))
        (cond ((= num-changed 0) base)
              ((eqv? before x) array)
              (else (ssa:make-array base (vhash-consv index x elements) num-changed))))
      ssa:undef))

(define (ssa:hidden_update index x) (ssa:update ssa:undef index x))

;; The changed elements, by index.
(define (ssa:changed array)
  (let ((seen (make-hash-table)) (base (ssa:array-base array)))
    (sort (vhash-fold (lambda (index element changed)
                        (if (or (hashv-ref seen index) (begin (hashv-set! seen index #t) (eqv? element (ssa:initial base index))))
                            changed
                            (cons (cons index element) changed)))
                      '() (ssa:array-elements array))
          (lambda (one other) (< (car one) (car other))))))

(define (ssa:shown x)
  (if (ssa:array? x)
      (string-append
        (if (ssa:known? (ssa:array-base x)) (number->string (ssa:array-base x)) "")
        "["
        (ssa:join (map (lambda (element)
                         (string-append (number->string (car element)) ": " (ssa:join (list (cdr element)))))
                       (ssa:changed x)))
        "]")
      x))

;; The number that stands for an argument of an opaque call.
(define (ssa:hashed x)
  (cond ((ssa:array? x)
         (u64:mix (logxor (ssa:mixed-or (ssa:array-base x) 0)
                          (modulo (apply + (map (lambda (element)
                                                  (u64:mix (logxor (u64:mix (modulo (car element) i64:size))
                                                                   (ssa:mixed-or (cdr element) #x5eed))))
                                                (ssa:changed x)))
                                  i64:size))))
        ((ssa:known? x) x)
        (else #x5eed)))

;; Control.

(define (ssa:chosen x)
  (if (ssa:known? x) x (ssa:trap "depends on an undefined value")))
(define (ssa:branch x then else)
  (if (= (ssa:chosen x) 0) (else) (then)))
(define (ssa:switch x continuations)
  (let ((last (- (length continuations) 1)) (x (ssa:chosen x)))
    ((list-ref continuations (if (or (< x 0) (> x last)) last x)))))

;; Input and output.

(define (ssa:print . xs) (ssa:on-print xs))
(define (ssa:read)
  (let ((x (ssa:next-input)))
    (if (number? x)
        (begin (ssa:on-read x) x)
        (ssa:trap "end of input"))))

;; Functions by name, with the number of their parameters.

(define ssa:functions '())
(define (ssa:define! name num-params function)
  (set! ssa:functions (cons (list name num-params function) ssa:functions)))

(define (ssa:enter function args ret)
  (if (= (cadr function) (length args))
      (apply (caddr function) (append args (list ret)))
      (ssa:trap (string-append (number->string (length args)) " arguments for "
                               (number->string (cadr function)) " parameters"))))

;; Calls a function that is defined here; any other is opaque.
(define (ssa:call name args num-results continuations)
  (let ((function (assoc name ssa:functions)))
    (if function
        (ssa:enter function args
                   (lambda given (ssa:take given num-results (car continuations))))
        (ssa:opaque name 0 0 args num-results continuations))))

;; Passes on as many results as are wanted.
(define (ssa:take given wanted continuation)
  (if (< (length given) wanted)
      (ssa:trap (string-append (number->string (length given)) " results where "
                               (number->string wanted) " are wanted"))
      (apply continuation (list-head given wanted))))

(define (u64:mix x)
  (define (shifted x by) (logxor x (ash x (- by))))
  (let* ((x (modulo (+ x #x9e3779b97f4a7c15) i64:size))
         (x (modulo (* (shifted x 30) #xbf58476d1ce4e5b9) i64:size))
         (x (modulo (* (shifted x 27) #x94d049bb133111eb) i64:size)))
    (shifted x 31)))

(define (ssa:fold-mix hash numbers)
  (if (pair? numbers)
      (ssa:fold-mix (u64:mix (logxor hash (modulo (car numbers) i64:size))) (cdr numbers))
      hash))

;; An opaque call: what follows from the seed, the name, the arguments and the
;; number of earlier calls. The last arguments are `maybe` old contents of what
;; it may modify, and `uses` of what it may use.
(define (ssa:opaque name maybe uses args num-results continuations)
  (let* ((hash (u64:mix (logxor (modulo ssa:seed i64:size) ssa:num-calls)))
         (hash (ssa:fold-mix hash (map (lambda (byte) byte) (ssa:bytes name))))
         (hash (ssa:fold-mix hash (map ssa:hashed args)))
         (num-handlers (- (length continuations) 1)))
    (set! ssa:num-calls (+ ssa:num-calls 1))
    (ssa:on-call name args)
    (if (and (> num-handlers 0) (= (modulo (u64:mix hash) 4) 0))
        ((list-ref continuations (+ 1 (modulo (ash hash -32) num-handlers))))
        (let loop ((index 0) (hash hash) (results '()))
          (if (= index num-results)
              (apply (car continuations) (reverse results))
              (let* ((hash (u64:mix hash))
                     (fresh (remainder (ash hash -8) 32))
                     (place (- (+ index maybe) num-results))
                     (old (+ place (- (length args) (+ maybe uses))))
                     (kept? (and (>= place 0) (even? hash) (< old (length args)))))
                (loop (+ index 1) hash
                      (cons (if kept? (list-ref args old) fresh) results))))))))

;; The bytes of a text in UTF-8, as numbers.
(define (ssa:bytes text)
  (define (tail code count)
    (if (= count 0)
        '()
        (cons (logior #x80 (logand #x3f (ash code (* -6 (- count 1))))) (tail code (- count 1)))))
  (apply append
         (map (lambda (character)
                (let ((code (char->integer character)))
                  (cond ((< code #x80) (list code))
                        ((< code #x800) (cons (logior #xc0 (ash code -6)) (tail code 1)))
                        ((< code #x10000) (cons (logior #xe0 (ash code -12)) (tail code 2)))
                        (else (cons (logior #xf0 (ash code -18)) (tail code 3))))))
              (string->list text))))

;; Runs a function with the arguments of the command line.
(define (ssa:start name)
  (ssa:enter (assoc name ssa:functions)
             (map string->number (cdr (command-line)))
             (lambda xs (ssa:on-return xs))))
