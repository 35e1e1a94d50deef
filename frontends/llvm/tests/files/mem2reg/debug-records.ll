; Variables of the source program, declared by records as in LLVM 19 and later. Each comment names LLVM's test of the same situation.

declare void @use(i32, i64, ptr)

declare i32 @choose(...)

declare i32 @other()

; ConvertDebugInfo: two declared parameters beside slots without a declaration.
define double @declared_parameters(i32 %i, double %j) !dbg !10 {
entry:
  %i_slot = alloca i32, align 4
  %j_slot = alloca double, align 8
  %result = alloca double, align 8
  %temporary = alloca double, align 8
    #dbg_declare(ptr %i_slot, !20, !DIExpression(), !30)
  store i32 %i, ptr %i_slot, align 4
    #dbg_declare(ptr %j_slot, !21, !DIExpression(), !30)
  store double %j, ptr %j_slot, align 8
  %a = load i32, ptr %i_slot, align 4, !dbg !31
  %b = sub nsw i32 %a, 2, !dbg !31
  %c = sitofp i32 %b to double, !dbg !31
  %d = load double, ptr %j_slot, align 8, !dbg !31
  %e = fmul double %c, %d, !dbg !31
  store double %e, ptr %temporary, align 8, !dbg !31
  %f = load double, ptr %temporary, align 8, !dbg !31
  store double %f, ptr %result, align 8, !dbg !31
  br label %end, !dbg !31

end:
  %got = load double, ptr %result, align 8, !dbg !31
  ret double %got, !dbg !31
}

; ConvertDebugInfo2: variables of a function that was inlined.
define void @of_an_inlined_function(i32 %x) !dbg !11 {
entry:
  %one = alloca i32, align 4
  %two = alloca i64, align 8
  %three = alloca ptr, align 8
  %slot = alloca i32, align 4
    #dbg_declare(ptr %slot, !22, !DIExpression(), !32)
  store i32 %x, ptr %slot, align 4
  %a = load i32, ptr %slot, align 4, !dbg !33
    #dbg_declare(ptr %one, !23, !DIExpression(), !34)
  store i32 %a, ptr %one, align 4
    #dbg_declare(ptr %two, !24, !DIExpression(), !34)
  store i64 44, ptr %two, align 8
    #dbg_declare(ptr %three, !25, !DIExpression(), !34)
  store ptr @of_an_inlined_function, ptr %three, align 8
  %b = load i32, ptr %one, align 4, !dbg !35
  %c = load i64, ptr %two, align 8, !dbg !35
  %d = load ptr, ptr %three, align 8, !dbg !35
  call void @use(i32 %b, i64 %c, ptr %d), !dbg !35
  br label %end, !dbg !33

end:
  ret void, !dbg !33
}

; dbg_declare_to_value_conversions: a declaration without operators.
define i64 @without_operators(i64 %x) !dbg !12 {
  %slot = alloca i64, align 8
  store i64 %x, ptr %slot, align 8
    #dbg_declare(ptr %slot, !26, !DIExpression(), !36)
  %got = load i64, ptr %slot, align 8
  ret i64 %got
}

; dbg_declare_to_value_conversions: the variable is where the slot points to.
define i32 @one_operator(ptr %p) !dbg !13 {
  %slot = alloca ptr, align 8
  store ptr %p, ptr %slot, align 8
    #dbg_declare(ptr %slot, !27, !DIExpression(DW_OP_deref), !37)
  %got = load i32, ptr %p, align 4
  ret i32 %got
}

; dbg_declare_to_value_conversions: further operators.
define i32 @two_operators(ptr %p) !dbg !14 {
  %slot = alloca ptr, align 8
  store ptr %p, ptr %slot, align 8
    #dbg_declare(ptr %slot, !28, !DIExpression(DW_OP_deref, DW_OP_plus_uconst, 4), !38)
  %got = load i32, ptr %p, align 4
  ret i32 %got
}

; debug-alloca-phi and debug-alloca-phi-2: a phi for a declared variable, of one byte and of one bit.
define void @a_byte_and_a_bit_in_a_loop() !dbg !15 {
entry:
  %byte = alloca i8, align 1
  %bit = alloca i1, align 1
    #dbg_declare(ptr %byte, !29, !DIExpression(), !39)
    #dbg_declare(ptr %bit, !40, !DIExpression(), !39)
  store i8 3, ptr %byte, align 1, !dbg !39
  store i1 false, ptr %bit, align 1, !dbg !39
  br label %loop, !dbg !39

loop:
  %old = load i8, ptr %byte, align 1, !dbg !39
  %new = mul i8 %old, 3
  store i8 %new, ptr %byte, align 1, !dbg !39
  %was = load i1, ptr %bit, align 1, !dbg !39
  %is = xor i1 %was, true
  store i1 %is, ptr %bit, align 1, !dbg !39
  br label %loop, !dbg !39
}

; debug-alloca-vla-1: an array of one element.
define void @an_array_of_one_element() !dbg !16 {
entry:
  %slot = alloca i32, i32 1, align 4
    #dbg_declare(ptr %slot, !41, !DIExpression(), !42)
  br label %loop, !dbg !42

loop:
  %old = load i32, ptr %slot, align 4, !dbg !42
  %new = add i32 %old, 5
  store i32 %new, ptr %slot, align 4, !dbg !42
  br label %loop, !dbg !42
}

; debug-alloca-vla-2: an array whose length is not known.
define void @an_array_of_many_elements(i32 %n) !dbg !17 {
entry:
  %slot = alloca i32, i32 %n, align 4
    #dbg_declare(ptr %slot, !43, !DIExpression(), !44)
  br label %loop, !dbg !44

loop:
  %old = load i32, ptr %slot, align 4, !dbg !44
  %new = add i32 %old, 5
  store i32 %new, ptr %slot, align 4, !dbg !44
  br label %loop, !dbg !44
}

; dbg-inline-scope-for-phi, the second function: a declared parameter.
define i32 @through_a_pointer(ptr %0) !dbg !18 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !45, !DIExpression(), !46)
  %3 = load ptr, ptr %2, align 8, !dbg !46
  %4 = load i32, ptr %3, align 4, !dbg !46
  ret i32 %4, !dbg !46
}

; dbg-inline-scope-for-phi, the third function: stores in two scopes meet in a phi.
define i32 @stores_in_two_scopes(ptr %0) !dbg !19 {
  %2 = alloca i32, align 4
  %3 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
    #dbg_declare(ptr %3, !47, !DIExpression(), !50)
  %4 = call i32 (...) @choose(), !dbg !51
  %5 = icmp eq i32 %4, 0, !dbg !51
  br i1 %5, label %6, label %8, !dbg !50

6:                                                ; preds = %1
  %7 = call i32 @other(), !dbg !52
  store i32 %7, ptr %2, align 4, !dbg !52
  br label %11, !dbg !52

8:                                                ; preds = %1
  %9 = load ptr, ptr %3, align 8, !dbg !53
  %10 = call i32 @through_a_pointer(ptr %9), !dbg !53
  store i32 %10, ptr %2, align 4, !dbg !53
  br label %11, !dbg !53

11:                                               ; preds = %8, %6
  %12 = load i32, ptr %2, align 4, !dbg !54
  ret i32 %12, !dbg !54
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1, !2}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, producer: "by hand", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !{i32 2, !"Dwarf Version", i32 4}
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIFile(filename: "s.c", directory: "/s")
!4 = !DISubroutineType(types: !5)
!5 = !{null}
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!8 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!9 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !6, size: 64)
!10 = distinct !DISubprogram(name: "declared_parameters", scope: !3, file: !3, line: 10, type: !4, scopeLine: 10, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!11 = distinct !DISubprogram(name: "of_an_inlined_function", scope: !3, file: !3, line: 20, type: !4, scopeLine: 20, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!12 = distinct !DISubprogram(name: "without_operators", scope: !3, file: !3, line: 30, type: !4, scopeLine: 30, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = distinct !DISubprogram(name: "one_operator", scope: !3, file: !3, line: 40, type: !4, scopeLine: 40, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!14 = distinct !DISubprogram(name: "two_operators", scope: !3, file: !3, line: 50, type: !4, scopeLine: 50, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!15 = distinct !DISubprogram(name: "a_byte_and_a_bit_in_a_loop", scope: !3, file: !3, line: 60, type: !4, scopeLine: 60, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!16 = distinct !DISubprogram(name: "an_array_of_one_element", scope: !3, file: !3, line: 70, type: !4, scopeLine: 70, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!17 = distinct !DISubprogram(name: "an_array_of_many_elements", scope: !3, file: !3, line: 80, type: !4, scopeLine: 80, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!18 = distinct !DISubprogram(name: "through_a_pointer", scope: !3, file: !3, line: 90, type: !4, scopeLine: 90, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!19 = distinct !DISubprogram(name: "stores_in_two_scopes", scope: !3, file: !3, line: 100, type: !4, scopeLine: 100, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!20 = !DILocalVariable(name: "i", arg: 1, scope: !10, file: !3, line: 20, type: !6)
!21 = !DILocalVariable(name: "j", arg: 2, scope: !10, file: !3, line: 21, type: !7)
!22 = !DILocalVariable(name: "x", arg: 1, scope: !11, file: !3, line: 22, type: !6)
!23 = !DILocalVariable(name: "one", arg: 1, scope: !55, file: !3, line: 23, type: !6)
!24 = !DILocalVariable(name: "two", arg: 2, scope: !55, file: !3, line: 24, type: !8)
!25 = !DILocalVariable(name: "three", arg: 3, scope: !55, file: !3, line: 25, type: !9)
!26 = !DILocalVariable(name: "x", scope: !12, file: !3, line: 26, type: !8)
!27 = !DILocalVariable(name: "wide", scope: !13, file: !3, line: 27, type: !56)
!28 = !DILocalVariable(name: "wide", scope: !14, file: !3, line: 28, type: !56)
!29 = !DILocalVariable(name: "byte", scope: !15, file: !3, line: 29, type: !57)
!30 = !DILocation(line: 30, column: 3, scope: !10)
!31 = !DILocation(line: 31, column: 3, scope: !10)
!32 = !DILocation(line: 32, column: 3, scope: !11)
!33 = !DILocation(line: 33, column: 3, scope: !11)
!34 = !DILocation(line: 34, column: 3, scope: !55, inlinedAt: !33)
!35 = !DILocation(line: 35, column: 3, scope: !55, inlinedAt: !33)
!36 = !DILocation(line: 36, column: 3, scope: !12)
!37 = !DILocation(line: 37, column: 3, scope: !13)
!38 = !DILocation(line: 38, column: 3, scope: !14)
!39 = !DILocation(line: 39, column: 3, scope: !15)
!40 = !DILocalVariable(name: "bit", scope: !15, file: !3, line: 40, type: !57)
!41 = !DILocalVariable(name: "array", scope: !16, file: !3, line: 41, type: !62)
!42 = !DILocation(line: 42, column: 3, scope: !16)
!43 = !DILocalVariable(name: "array", scope: !17, file: !3, line: 43, type: !58)
!44 = !DILocation(line: 44, column: 3, scope: !17)
!45 = !DILocalVariable(name: "p", arg: 1, scope: !18, file: !3, line: 45, type: !9)
!46 = !DILocation(line: 46, column: 3, scope: !18)
!47 = !DILocalVariable(name: "p", arg: 1, scope: !19, file: !3, line: 47, type: !9)
!48 = distinct !DILexicalBlock(scope: !19, file: !3, line: 101, column: 5)
!49 = distinct !DILexicalBlock(scope: !48, file: !3, line: 102, column: 7)
!50 = !DILocation(line: 50, column: 3, scope: !19)
!51 = !DILocation(line: 51, column: 3, scope: !48)
!52 = !DILocation(line: 52, column: 3, scope: !49)
!53 = !DILocation(line: 53, column: 3, scope: !48)
!54 = !DILocation(line: 54, column: 3, scope: !19)
!55 = distinct !DISubprogram(name: "inlined", scope: !3, file: !3, line: 5, type: !4, scopeLine: 5, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!56 = !DIBasicType(name: "wide", size: 512)
!57 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!58 = !DICompositeType(tag: DW_TAG_array_type, baseType: !6, elements: !59)
!59 = !{!60}
!60 = !DISubrange(count: !61)
!61 = !DILocalVariable(name: "length", scope: !17, type: !8, flags: DIFlagArtificial)
!62 = !DICompositeType(tag: DW_TAG_array_type, baseType: !6, elements: !63)
!63 = !{!64}
!64 = !DISubrange(count: !65)
!65 = !DILocalVariable(name: "length", scope: !16, type: !8, flags: DIFlagArtificial)
